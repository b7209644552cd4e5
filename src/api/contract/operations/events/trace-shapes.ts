/** A request that is only described, and the result of evaluating it. */
import type { Judged } from '#events';
import { challengeKinds, firewallRuleActions, product, products } from '#rulesets';
import {
  array,
  choice,
  either,
  flag,
  integer,
  listOf,
  map,
  named,
  nullable,
  object,
  optional,
  record,
  string,
  text,
  typed,
  unread,
  whole,
  annotate,
} from '#shapes';

/** A firewall rule in the form that would be saved, to test before saving. */
const ruleToTry = object({
  id: optional(annotate(text({ min: 1, max: 32 }), { description: 'The rule that it replaces.' })),
  before: optional(
    annotate(nullable(text({ min: 1, max: 32 })), {
      description:
        'The rule that it comes before; null: last. Not given: where the replaced rule was, or last.',
    }),
  ),
  action: choice(firewallRuleActions),
  products: optional(array(product, { max: products.length })),
  expression: text({ min: 1, max: 65_536 }),
});

const headers = map(unread(either(string, listOf(string)).schema), { max: 128 });

export const requestToTrace = object({
  method: optional(text({ min: 1, max: 32 })),
  url: text({ min: 1, max: 16_384 }),
  headers: optional(headers),
  body: optional(text({ max: 131_072 })),
  ip: optional(text({ max: 45 })),
  country: optional(text({ max: 2 })),
  asn: optional(integer({ min: 0, max: 4_294_967_295 })),
  has_clearance: optional(flag()),
  response: optional(
    named(
      'ResponseToTrace',
      object(
        { status: optional(integer({ min: 200, max: 599 })), headers: optional(headers) },
        'The response of the origin, for rules that change responses; 200 without headers if it is left out.',
      ),
    ),
  ),
  asked: optional(
    named(
      'AnswerToTrace',
      object(
        {
          status: optional(integer({ min: 200, max: 599 })),
          action: optional(choice(['pass', ...challengeKinds])),
        },
        'The answers for rules of gatehouse_ask; if it is left out, their defaults apply.',
      ),
    ),
  ),
  firewall_rule: optional(named('FirewallRuleToTry', ruleToTry)),
});

type JudgedTree = NonNullable<Judged['rules'][number]['tree']>;

/** Whether the tested rule matches, and why, even if another rule decided. */
export const triedSchema = named(
  'TriedFirewallRule',
  record({ is_match: flag(), tree: typed<JudgedTree>(record({})) }),
);

/** Where a request that passes is forwarded. */
export const forwardedSchema = named(
  'ForwardedTo',
  record({
    load_balancer: optional(string),
    pool: optional(string),
    /** The enabled origins of the pool, or the one that the zone or a rule names. */
    origins: listOf(string),
  }),
);

export const verdictSchema = named(
  'Verdict',
  record({
    action: choice(['pass', 'block', ...challengeKinds, 'redirect']),
    rule_id: optional(string),
    ruleset_id: optional(string),
    source: optional(string),
    status: optional(whole),
    location: optional(string),
  }),
);
