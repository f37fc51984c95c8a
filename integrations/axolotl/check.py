"""Axolotl's own schema on an exported config.yaml, and its own loader of reward functions.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/axolotl:integrations/trl:<axolotl>/src python check.py <folder> <reward url>
"""

import os

from peer_check import main, report, version_of


def check(folder, url, sources):
    import yaml
    from axolotl.utils.schemas.config import AxolotlInputConfig

    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("Axolotl", version=version_of(os.path.dirname(sources)))
    with open(os.path.join(folder, "config.yaml")) as file:
        given = yaml.safe_load(file)
    unknown = sorted(set(given) - set(AxolotlInputConfig.model_fields))
    unknown += sorted(set(given["trl"]) - set(type_of(AxolotlInputConfig.model_fields["trl"]).model_fields))
    assert unknown == [], f"unknown keys: {unknown}"
    config = AxolotlInputConfig.model_validate(given)
    report("AxolotlInputConfig", rl=str(config.rl), level=config.trl.importance_sampling_level, rewards=config.trl.reward_funcs)


def type_of(field):
    import typing

    return next(one for one in typing.get_args(field.annotation) if one is not type(None))


if __name__ == "__main__":
    main(check)
