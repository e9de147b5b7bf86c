"use strict";
(() => {
  // Browsers without ::details-content print only what is open.
  const closed = new Set();
  window.addEventListener("beforeprint", () => {
    for (const item of document.querySelectorAll("details.item:not([open])")) { closed.add(item); item.open = true; }
  });
  window.addEventListener("afterprint", () => {
    for (const item of closed) { item.open = false; }
    closed.clear();
  });
  const narrow = window.matchMedia("(max-width: 600px)").matches;
  const charts = [...document.querySelectorAll(".chart")];
  const draw = (place) => {
    const spec = JSON.parse(document.getElementById(place.dataset.spec).textContent);
    if (narrow) {
      spec.config.axisY = { labelLimit: 150, labelFontSize: 11 };
    }
    const options = { renderer: "svg", actions: false, ast: true, tooltip: { theme: "light" } };
    return vegaEmbed(place, spec, options).then(
      () => { place.dataset.drawn = "yes"; },
      (error) => { place.dataset.drawn = "no"; place.textContent = "This chart could not be drawn. Its data stands below."; throw error; },
    );
  };
  Promise.all(charts.map(draw)).then(() => { document.documentElement.dataset.charts = String(charts.length); });
})();
