/**
 * Rulesets, rules and positions as clients send them: names, types, limits and choices of every field, defined only
 * here. The checks read bodies by these shapes and add what depends on the plan, the phase and other rulesets; the
 * OpenAPI document shows their schemas.
 */
import { expressionCharactersMax } from '#expressions';
import { leftOutKinds } from '#request';
import {
  annotate,
  array,
  choice,
  flag,
  ignored,
  integer,
  map,
  named,
  object,
  optional,
  type Shape,
  type Shaped,
  text,
  unread,
} from '#shapes';
import { ruleActions, verdictActions } from './actions.ts';
import { products } from './firewall-rules.ts';
import {
  characteristicsMax,
  credentialExpressionCharactersMax,
  descriptionCharactersMax,
  groupReferencesMax,
  idCharactersMax,
  leftOutNameCharactersMax,
  leftOutPartsMax,
  nameCharactersMax,
  ratePeriods,
  rateRequestsMax,
  rateResponseContentBytesMax,
  refCharactersMax,
  ruleReferencesMax,
  rulesMax,
  scoreThresholdMax,
} from './limits.ts';
import { creatableKinds, phases } from './phases.ts';
import { askParameters } from './written/ask-parameters.ts';
import {
  configurationParameters,
  errorParameters,
  redirectParameters,
  rewriteParameters,
  routeParameters,
} from './written/parameters.ts';

const reference = text({ min: 1, max: idCharactersMax });

/** Rulesets against floods are not evaluated: their parameters are recognised, and refused for other rulesets. */
const override = {
  action: optional(named('OverrideAction', choice([...verdictActions, 'ddos_dynamic']))),
  enabled: optional(flag()),
};
const sensitivity = {
  sensitivity_level: optional(
    unread({ type: 'string', description: 'Only for DDoS rulesets, which are not evaluated.' }),
  ),
};

const categoryOverride = named(
  'CategoryOverride',
  object({ category: text({ min: 1, max: nameCharactersMax }), ...override, ...sensitivity }),
);

const ruleOverride = named(
  'RuleOverride',
  object({
    id: reference,
    ...override,
    score_threshold: optional(integer({ min: 1, max: scoreThresholdMax })),
    ...sensitivity,
  }),
);

const overrides = object(
  {
    ...override,
    categories: optional(array(categoryOverride, { max: groupReferencesMax })),
    rules: optional(array(ruleOverride, { max: ruleReferencesMax })),
    ...sensitivity,
  },
  'execute: changes to the rules of a managed ruleset.',
);

const curve25519Key = text({
  max: idCharactersMax,
  pattern: /^[A-Za-z0-9+/]{43}=$/,
  description: '32 bytes in Base64',
});

export const executeParameters = object({
  id: annotate(reference, { description: 'execute: the ruleset to run.' }),
  version: optional(text({ max: idCharactersMax, description: 'execute: `latest`.' })),
  overrides: optional(named('Overrides', annotate(overrides, { minProperties: 1 }))),
  matched_data: optional(named('MatchedData', object({ public_key: curve25519Key }))),
});

/**
 * The phases that a rule of the custom phase can skip: they come later, or have no rules of users. Phases that change
 * the request to the origin, or its response, are an addition of Gatehouse.
 */
const skippablePhases = [
  'http_ratelimit',
  'http_request_sbfm',
  'http_request_firewall_managed',
  'gatehouse_ask',
  'http_request_redirect',
  'http_request_late_transform',
  'http_custom_errors',
  'http_response_headers_transform',
] as const;

export const product = named('Product', choice(products));

/** The notation of explanations. `[*]` in the name of a JSON value matches every element of a list. */
const leftOutPart = named(
  'LeftOutPart',
  object({ kind: choice(leftOutKinds), name: text({ min: 1, max: leftOutNameCharactersMax }) }),
);

export const skipParameters = object({
  ruleset: optional(
    annotate(choice(['current']), { description: 'skip: the rules that follow in this ruleset.' }),
  ),
  phase: optional(choice(['current'])),
  rulesets: optional(array(reference, { min: 1, max: groupReferencesMax })),
  rules: optional(
    annotate(map(array(reference, { min: 1, max: ruleReferencesMax }), { max: groupReferencesMax }), {
      description: 'skip: rule ids by ruleset id.',
    }),
  ),
  categories: optional(
    annotate(map(array(reference, { min: 1, max: ruleReferencesMax }), { max: groupReferencesMax }), {
      description: 'skip: tags of rules by ruleset id. An addition of Gatehouse.',
    }),
  ),
  arguments: optional(
    annotate(array(leftOutPart, { min: 1, max: leftOutPartsMax }), {
      description:
        'skip, together with rules, categories or rulesets: these rules are not skipped, but do not see the values of these parts of the request. An addition of Gatehouse.',
    }),
  ),
  phases: optional(array(choice(skippablePhases), { min: 1, max: groupReferencesMax })),
  products: optional(array(product, { min: 1, max: groupReferencesMax })),
});

const blockResponse = object(
  {
    status_code: integer({ min: 400, max: 499 }),
    content: text({ min: 1, max: rateResponseContentBytesMax }),
    content_type: choice(['text/html', 'text/plain', 'application/json', 'text/xml']),
  },
  'block: the response instead of the default page.',
);

export const blockParameters = object({ response: optional(named('BlockResponse', blockResponse)) });

/** The action decides which of its fields a rule may have; in phases that are not evaluated it may have others. */
export type ActionParameters = Partial<Shaped<typeof executeParameters>> &
  Shaped<typeof skipParameters> &
  Shaped<typeof blockParameters> &
  Partial<Shaped<typeof redirectParameters>> &
  Shaped<typeof rewriteParameters> &
  Shaped<typeof routeParameters> &
  Partial<Shaped<typeof errorParameters>> &
  Shaped<typeof configurationParameters> &
  Shaped<typeof askParameters> & { readonly increment?: number };

/** Read when the action and the phase are known. */
const actionParameters = named(
  'ActionParameters',
  unread({
    type: 'object',
    description:
      'The parameters of the action; each action has its own. In phases that are not evaluated, any are accepted.',
    additionalProperties: true,
    properties: {
      ...propertiesOf(executeParameters),
      ...propertiesOf(skipParameters),
      ...propertiesOf(blockParameters),
      ...propertiesOf(redirectParameters),
      ...propertiesOf(rewriteParameters),
      ...propertiesOf(routeParameters),
      ...propertiesOf(configurationParameters),
      ...propertiesOf(errorParameters),
      ...propertiesOf(askParameters),
      increment: { type: 'integer', description: 'score: what the rule adds.' },
    },
  }),
) as Shape<unknown, ActionParameters>;

export const credentialCheck = object({
  username_expression: text({ min: 1, max: credentialExpressionCharactersMax }),
  password_expression: text({ min: 1, max: credentialExpressionCharactersMax }),
});

const logging = object({ enabled: optional(flag()) }, 'Only with the action skip.');

export const rateLimit = object(
  {
    characteristics: annotate(
      array(text({ min: 1, max: expressionCharactersMax }), { min: 1, max: characteristicsMax }),
      {
        description:
          'The characteristics by which requests are counted. Without `cf.colo.id` all hosts count together, unlike at Cloudflare.',
      },
    ),
    period: integer({ min: ratePeriods[0], max: ratePeriods.at(-1)! }),
    requests_per_period: optional(integer({ min: 1, max: rateRequestsMax })),
    score_per_period: optional(
      annotate(integer({ min: 1, max: rateRequestsMax }), {
        description: 'Instead of `requests_per_period`: the sum of the scores that the origin returns.',
      }),
    ),
    score_response_header_name: optional(
      text({
        min: 1,
        max: 128,
        pattern: /^[!#$%&'*+.^`|~\w-]+$/,
        what: 'the name of a header',
        description: 'Of the origin’s response: the score of the request, from 1 to 1,000,000.',
      }),
    ),
    mitigation_timeout: optional(
      annotate(integer({ min: 0, max: ratePeriods.at(-1)! }), {
        description: '0 or omitted: only the requests beyond the rate are stopped.',
      }),
    ),
    counting_expression: optional(
      text({
        max: expressionCharactersMax,
        description: 'Which requests are counted; if empty, those that the rule matches.',
      }),
    ),
    requests_to_origin: optional(flag()),
  },
  'Only in the phase http_ratelimit.',
);

/** The fields of a rule that clients set. */
export const ruleContent = {
  action: named('RuleAction', choice(ruleActions)),
  expression: text({ min: 1, max: expressionCharactersMax }),
  action_parameters: optional(actionParameters),
  ratelimit: optional(named('RateLimit', rateLimit)),
  exposed_credential_check: optional(named('ExposedCredentialCheck', credentialCheck)),
  description: optional(text({ max: descriptionCharactersMax })),
  ref: optional(
    text({
      max: refCharactersMax,
      description: 'A name that identifies the rule in later calls; its id if not given.',
    }),
  ),
  enabled: optional(annotate(flag(), { description: 'Default: true.' })),
  logging: optional(named('Logging', logging)),
};

const ruleFields = {
  ...ruleContent,
  version: ignored(),
  last_updated: ignored(),
  categories: ignored(),
  score_threshold: ignored(),
  id: optional(
    text({
      max: idCharactersMax,
      description: 'The id of a rule to keep; an empty or unknown id is ignored.',
    }),
  ),
};

export const rule = named('NewRule', object(ruleFields));

const places = object(
  {
    before: optional(text({ max: idCharactersMax })),
    after: optional(text({ max: idCharactersMax })),
    index: optional(integer({ min: 1, max: rulesMax })),
  },
  'One of: before a rule (none: first), after a rule (none: last), at an index from 1.',
);

export const position = named('Position', annotate(places, { minProperties: 1, maxProperties: 1 }));

export const ruleAddition = named('RuleAddition', object({ ...ruleFields, position: optional(position) }));

export const ruleEdit = named(
  'RuleEdit',
  object(
    {
      ...ruleFields,
      action: optional(ruleContent.action),
      expression: optional(ruleContent.expression),
      position: optional(position),
    },
    'The whole rule, or only a `position`.',
  ),
);

const name = text({ min: 1, max: nameCharactersMax });
const kind = choice([...creatableKinds.account, ...creatableKinds.zone]);
export const phase = named('Phase', choice([...phases.keys()]));

const rulesetFields = {
  name,
  description: optional(text({ max: descriptionCharactersMax })),
  kind,
  phase,
  // Clients in Go send null for a list without items.
  rules: optional(annotate(array(rule, { max: rulesMax }), { type: ['array', 'null'] })),
  id: ignored(),
  version: ignored(),
  last_updated: ignored(),
  source: ignored(),
  shareable_entitlement_name: ignored(),
};

export const rulesetDraft = named('NewRuleset', object(rulesetFields));

export const rulesetChange = named(
  'RulesetUpdate',
  object(
    { ...rulesetFields, name: optional(name), kind: optional(kind), phase: optional(phase) },
    'Omitted fields stay; `rules` replaces all rules. The kind, phase and name of an existing ruleset cannot change.',
  ),
);

function propertiesOf(shape: { readonly schema: object }): object {
  return (shape.schema as { readonly properties: object }).properties;
}
