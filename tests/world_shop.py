"""A small world that tests extend: a shop with a shelf and a till."""

import copy
from pathlib import Path
from typing import Any

import yaml

SHOP: dict[str, Any] = {
    "id": "shop",
    "category": "implicit_reasoning",
    "user_prompt": "Sell two.",
    "world": {
        "entities": {
            "shelf": {
                "type": "system",
                "name": "Shelf",
                "state": {"stock": {"pen": 100, "ink": 3}, "log": [], "price": 1.5, "note": None, "open": True},
                "actions": [
                    {"name": "count", "description": "Counts.", "reads": "shelf.stock"},
                    {
                        "name": "move",
                        "description": "Takes or returns items.",
                        "parameters": {"item": {"among": "shelf.stock"}, "by": "integer"},
                        "requires": {
                            "check": "shelf.stock[item] + by >= 0",
                            "message": "Only {shelf.stock[item]} of {item}.",
                        },
                        "effects": {
                            "set": {"shelf.stock[item]": "shelf.stock[item] + by", "till.moves": "till.moves + 1"},
                            "append": {"shelf.log": {"item": "item", "by": "by"}},
                        },
                        "reply": "{item}: {shelf.stock[item]}",
                        "returns": "Changes the stock.",
                    },
                ],
            },
            "till": {
                "type": "system",
                "name": "Till",
                "state": {"moves": 0, "alarm": False, "lamp": "off"},
                "actions": [
                    {
                        "name": "ring",
                        "description": "Rings.",
                        "parameters": {"tier": {"enum": ["gold", "silver"], "required": False}},
                        "effects": {"set": {"till.alarm": True}},
                        "returns": "Sets the alarm.",
                    }
                ],
            },
        }
    },
    "execution_rules": ["Nothing is told."],
    "evaluation_rubric": [{"criterion": "Sold.", "pass_condition": "Sold.", "check": "shelf.stock.pen == 98"}],
}


def write_world(folder: Path, changes: dict[str, Any] | None = None, name: str = "shop") -> Path:
    """Write the shop with parts replaced (a path of keys and list positions -> the new value) and give its file."""
    shop = copy.deepcopy(SHOP) | {"id": name}
    for path, value in (changes or {}).items():
        target: Any = shop
        *way, last = [int(part) if part.isdigit() else part for part in path.split("/")]
        for part in way:
            target = target[part]
        target[last] = value
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump(shop, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return file
