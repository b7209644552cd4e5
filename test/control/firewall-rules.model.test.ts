/** Random calls on filters and firewall rules, compared with a minimal model. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type GivenFilter, type GivenRule, Model, RefusedCall } from './firewall-model.ts';
import { FirewallZone } from './firewall-zone.ts';
import { type Envelope, TestControl } from './harness.ts';

/** Filters and rules are named by their index among the existing ones. */
type PlacedFilter = { readonly which: number } | { readonly expression: string };

type Command =
  | { readonly do: 'create filters'; readonly expressions: readonly string[] }
  | { readonly do: 'update filters'; readonly items: readonly { which: number; expression: string }[] }
  | { readonly do: 'delete filters'; readonly which: readonly number[] }
  | { readonly do: 'create rules'; readonly items: readonly { rule: GivenRule; filter: PlacedFilter }[] }
  | {
      readonly do: 'update rules';
      readonly items: readonly { which: number; rule: GivenRule; filter: number }[];
    }
  | { readonly do: 'edit rules'; readonly items: readonly { which: number; priority?: number | null }[] }
  | {
      readonly do: 'delete rules';
      readonly which: readonly number[];
      readonly isFilterToo?: boolean | undefined;
    };

const expression = fc.oneof(
  { weight: 20, arbitrary: fc.nat(11).map((host) => `http.host eq "${host}"`) },
  { weight: 1, arbitrary: fc.constantFrom('nosuch', 'http.host matches "a"') },
);
const which = fc.oneof({ weight: 15, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.constant(-1) });
const priority = fc.constantFrom(null, null, 0, 1, 5);
const plain = fc.constantFrom('block', 'allow', 'challenge', 'js_challenge', 'managed_challenge' as const);
const rule: fc.Arbitrary<GivenRule> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ action: plain, products: fc.constant([]), priority }) },
  {
    weight: 6,
    arbitrary: fc.record({
      action: fc.constant('bypass' as const),
      products: fc.constantFrom(...[['waf'], ['waf', 'hot'], ['hot', 'waf'], ['waf'], ['hot'], []]),
      priority,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<GivenRule>(
      { action: 'log', products: [], priority: null },
      { action: 'block', products: ['waf'], priority: null },
      { action: 'log', products: ['waf'], priority: null },
    ),
  },
);
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { minLength: 1, maxLength: 2 });
const filter: fc.Arbitrary<PlacedFilter> = fc.oneof(fc.record({ which }), fc.record({ expression }));

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('create filters' as const), expressions: few(expression) }),
  fc.record({ do: fc.constant('update filters' as const), items: few(fc.record({ which, expression })) }),
  fc.record({ do: fc.constant('delete filters' as const), which: few(which) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create rules' as const),
      items: few(fc.record({ rule, filter })),
    }),
  },
  fc.record({
    do: fc.constant('update rules' as const),
    items: few(fc.record({ which, rule, filter: which })),
  }),
  fc.record({
    do: fc.constant('edit rules' as const),
    items: few(fc.record({ which, priority }, { requiredKeys: ['which'] })),
  }),
  fc.record({
    do: fc.constant('delete rules' as const),
    which: few(which),
    isFilterToo: fc.constantFrom(undefined, undefined, true, false),
  }),
);

test('filters and firewall rules do what the model does, whatever the order of calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 80 }), async (commands) => {
      const control = await TestControl.open();
      try {
        const zone = new FirewallZone(control, 'free');
        let model = new Model();
        for (const each of commands) model = await play(each, model, zone);
      } finally {
        await control.close();
      }
    }),
    { numRuns: 25 },
  );
});

/** Applies the same call to server and model, and compares their complete state. */
async function play(step: Command, before: Model, zone: FirewallZone): Promise<Model> {
  const model = before.copy();
  const { apply, send } = sides(step, before, zone);
  let expected: readonly number[] = [];
  try {
    if (apply(model) === true) expected = [10209];
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    expected = error.codes;
  }
  const answer = await send();
  deepEqual(
    answer.errors.map(({ code }) => code),
    expected,
  );
  equal(answer.success, expected.length === 0);
  const isKept = expected.length === 0 || expected[0] === 10209;
  const after = isKept ? model : before;
  const filters = await zone.allFilters();
  const rules = await zone.allRules();
  if (isKept) {
    const known = new Set(before.filters.map(({ id }) => id));
    const madeFilters = filters.filter(({ id }) => !known.has(id)).map(({ id }) => id);
    const madeRules = step.do === 'create rules' ? (answer.result ?? []) : [];
    after.learn(
      madeFilters,
      madeRules.map(({ id }: { id: string }) => id),
    );
  }
  deepEqual(
    filters.map(({ id, expression: text }) => [id, text]),
    after.filters.map(({ id, expression: text }) => [id, text]),
  );
  deepEqual(
    rules.map(({ id, action, priority: number, products = [], filter: shown }) => [
      ...[id, action, number, products, shown.id, shown.deleted ?? shown.expression],
    ]),
    after.inOrder().map(({ id, action, priority: number, products, filterId }) => {
      const found = after.filters.find((each) => each.id === filterId);
      return [id, action, number, products, filterId, found?.expression ?? true];
    }),
  );
  return after;
}

interface Sides {
  /** True if the rules exceeded the quota. */
  apply(model: Model): boolean | void;
  send(): Promise<Envelope>;
}

function sides(step: Command, before: Model, zone: FirewallZone): Sides {
  switch (step.do) {
    case 'create filters':
      return {
        apply: (model) => model.createFilters(step.expressions),
        send: () =>
          zone.call(
            `POST ${zone.filters}`,
            step.expressions.map((each) => ({ expression: each })),
          ),
      };
    case 'update filters': {
      const items = step.items.map((item) => ({
        id: before.filterId(item.which),
        expression: item.expression,
      }));
      return {
        apply: (model) => model.updateFilters(items),
        send: () => zone.call(`PUT ${zone.filters}`, items),
      };
    }
    case 'delete filters': {
      const ids = step.which.map((each) => before.filterId(each));
      return {
        apply: (model) => model.deleteFilters(ids),
        send: () => zone.call(`DELETE ${zone.filters}?${ids.map((id) => `id=${id}`).join('&')}`),
      };
    }
    case 'create rules': {
      const items = step.items.map(({ rule: given, filter: of }) => {
        const sent: GivenFilter = 'which' in of ? { id: before.filterId(of.which) } : of;
        return { rule: given, filter: sent };
      });
      return {
        apply: (model) => model.createRules(items),
        send: () => {
          const body = items.map(({ rule: given, filter: sent }) => ({ ...given, filter: sent }));
          return zone.call(`POST ${zone.rules}`, body);
        },
      };
    }
    case 'update rules': {
      const items = step.items.map((item) => ({
        id: before.ruleId(item.which),
        rule: item.rule,
        filterId: before.filterId(item.filter),
      }));
      return {
        apply: (model) => model.updateRules(items),
        send: () => {
          const body = items.map(({ id, rule: given, filterId }) => ({
            id,
            ...given,
            filter: { id: filterId },
          }));
          return zone.call(`PUT ${zone.rules}`, body);
        },
      };
    }
    case 'edit rules': {
      const items = step.items.map(({ which: place, ...rest }) => ({ id: before.ruleId(place), ...rest }));
      return {
        apply: (model) => model.editRules(items),
        send: () => zone.call(`PATCH ${zone.rules}`, items),
      };
    }
    case 'delete rules': {
      const ids = step.which.map((each) => before.ruleId(each));
      return {
        apply: (model) => ids.forEach((id) => model.deleteRule(id, step.isFilterToo)),
        send: () => {
          const query = ids.map((id) => `id=${id}`).join('&');
          return zone.call(`DELETE ${zone.rules}?${query}`, { delete_filter_if_unused: step.isFilterToo });
        },
      };
    }
  }
}
