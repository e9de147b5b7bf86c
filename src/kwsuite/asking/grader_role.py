"""The models that are bound to judge."""

from inspect_ai.model import Model, model_roles


def bound_grader_models() -> tuple[Model, ...]:
    """Give the models bound to the role `grader`, in the order given; empty for none."""
    bound = model_roles().get("grader")
    if bound is None:
        return ()
    return tuple(bound) if isinstance(bound, list) else (bound,)


def required_graders(otherwise: str = "") -> tuple[Model, ...]:
    """Give the models bound to the role `grader`.

    Args:
        otherwise: What to do instead of binding one, as a sentence for the error.

    Raises:
        ValueError: None is bound.
    """
    models = bound_grader_models()
    if not models:
        raise ValueError(f"No grader role is bound. Add --model-role grader=PROVIDER/MODEL. {otherwise}".rstrip())
    return models
