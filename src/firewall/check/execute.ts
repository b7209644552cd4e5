/** `execute`: runs another ruleset, with its rules changed by overrides. */
import {
  groupReferencesMax,
  idCharactersMax,
  nameCharactersMax,
  ruleReferencesMax,
  scoreThresholdMax,
} from '../limits.ts';
import {
  type CategoryOverride,
  type ExecuteParameters,
  type Home,
  type Override,
  type Overrides,
  type RuleOverride,
  verdictActions,
} from '../model.ts';
import { includesPlan, notEntitled } from '../plans.ts';
import type { DeployableRuleset, RulesetContext } from './context.ts';
import { readDeployable } from './deployable.ts';
import type { Place } from './place.ts';

const curve25519KeyText = /^[A-Za-z0-9+/]{43}=$/;

export function checkExecute(
  place: Place,
  home: Home,
  context: RulesetContext,
): ExecuteParameters | undefined {
  if (!place.isThere() || !place.isObjectOf(['id', 'version', 'overrides', 'matched_data'])) return undefined;
  if (place.at('version').value !== '') place.at('version').choice(['latest']);
  const matchedData = checkMatchedData(place.at('matched_data'));
  const idPlace = place.at('id');
  if (!idPlace.isThere()) return undefined;
  const deployable = readDeployable(idPlace, home, context);
  if (deployable === undefined) return undefined;
  const { id, ruleset } = deployable;
  if (!includesPlan(context.plan, ruleset.plan)) {
    const { plan } = context;
    return idPlace.refuse('not_entitled', notEntitled('this ruleset', { plan, needed: ruleset.plan }));
  }
  const overrides = checkOverrides(place.at('overrides'), home, ruleset);
  return {
    id,
    version: 'latest',
    ...(overrides === undefined ? {} : { overrides }),
    ...(matchedData === undefined ? {} : { matched_data: matchedData }),
  };
}

function checkMatchedData(place: Place): ExecuteParameters['matched_data'] {
  if (!place.isObjectOf(['public_key'])) return undefined;
  const keyPlace = place.at('public_key');
  if (!keyPlace.isThere()) return undefined;
  const key = keyPlace.text({ charactersMax: idCharactersMax });
  if (key === undefined) return undefined;
  if (curve25519KeyText.test(key)) return { public_key: key };
  return keyPlace.refuse('out_of_range', 'it must be 32 bytes in Base64');
}

function checkOverrides(place: Place, home: Home, ruleset: DeployableRuleset): Overrides | undefined {
  const known = ['action', 'enabled', 'categories', 'rules', 'sensitivity_level'];
  if (place.isAbsent) return undefined;
  if (home.phase !== 'http_request_firewall_managed') {
    return place.refuse('not_available', 'only managed rulesets can be overridden');
  }
  if (!place.isObjectOf(known)) return undefined;
  if (place.keys()?.length === 0) return place.refuse('missing_field', 'it must override something');
  const categories = place.at('categories').items({ countMax: groupReferencesMax });
  const rules = place.at('rules').items({ countMax: ruleReferencesMax });
  return {
    ...checkOverride(place),
    ...(categories === undefined ? {} : { categories: checkCategories(categories, ruleset) }),
    ...(rules === undefined ? {} : { rules: checkRules(rules, ruleset) }),
  };
}

/** What overrides of a ruleset, a category and a rule have in common. */
function checkOverride(place: Place): Override {
  const action = place.at('action').choice(verdictActions);
  const enabled = place.at('enabled').flag();
  const sensitivity = place.at('sensitivity_level');
  if (!sensitivity.isAbsent) sensitivity.refuse('not_available', 'only rulesets against floods have it');
  return {
    ...(action === undefined ? {} : { action }),
    ...(enabled === undefined ? {} : { enabled }),
  };
}

function checkCategories(places: readonly Place[], ruleset: DeployableRuleset): readonly CategoryOverride[] {
  const seen = new Set<string>();
  return places.flatMap((place) => {
    if (!place.isObjectOf(['category', 'action', 'enabled', 'sensitivity_level'])) return [];
    const categoryPlace = place.at('category');
    const override = checkOverride(place);
    if (!categoryPlace.isThere()) return [];
    const category = categoryPlace.text({ charactersMin: 1, charactersMax: nameCharactersMax });
    if (category === undefined) return [];
    if (seen.has(category)) categoryPlace.refuse('duplicate', 'the category has an override already');
    seen.add(category);
    if (!ruleset.hasCategory(category)) {
      categoryPlace.refuse('not_found', 'no rule of the ruleset has this category');
    }
    if (place.keys()?.length === 1) place.refuse('missing_field', 'it must override something');
    return [{ category, ...override }];
  });
}

function checkRules(places: readonly Place[], ruleset: DeployableRuleset): readonly RuleOverride[] {
  const seen = new Set<string>();
  return places.flatMap((place) => {
    if (!place.isObjectOf(['id', 'action', 'enabled', 'score_threshold', 'sensitivity_level'])) return [];
    const idPlace = place.at('id');
    const override = checkOverride(place);
    const thresholdPlace = place.at('score_threshold');
    const threshold = thresholdPlace.wholeNumber({ min: 1, max: scoreThresholdMax });
    if (!idPlace.isThere()) return [];
    const id = idPlace.text({ charactersMin: 1, charactersMax: idCharactersMax });
    if (id === undefined) return [];
    if (seen.has(id)) idPlace.refuse('duplicate', 'the rule has an override already');
    seen.add(id);
    const rule = ruleset.rule(id);
    if (rule === undefined) idPlace.refuse('not_found', 'the ruleset has no rule with this id');
    if (rule?.hasThreshold === false && threshold !== undefined) {
      thresholdPlace.refuse('not_available', 'the rule does not compare a score');
    }
    return [{ id, ...override, ...(threshold === undefined ? {} : { score_threshold: threshold }) }];
  });
}
