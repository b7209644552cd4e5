/** API calls on a zone, each with its effect on the zone. */
import type { Random } from '../faults/random.ts';
import type { ZoneModel } from './api-zone-model.ts';

export interface Command {
  readonly route: string;
  readonly body: unknown;
  /** The zone afterwards; undefined if the call must be refused. */
  readonly accepted: ZoneModel | undefined;
  /** Whether it may be refused. */
  readonly isRefusable: boolean;
}

const entryPointPath = '/rulesets/phases/http_request_firewall_managed/entrypoint';

function execute(enabled: boolean): object {
  const action_parameters = { id: 'efb7b8c949ac4650a09736fc376e9aee' };
  return { action: 'execute', expression: 'true', enabled, action_parameters };
}

type Maker = (model: ZoneModel, next: () => string) => Command;

/** The batches are small, and each must be applied completely or not at all. */
const batch = [0, 1, 2];

const makers: readonly Maker[] = [
  function filters(model, next) {
    const expressions = batch.map(() => expressionOf(next()));
    return {
      route: 'POST /filters',
      body: expressions.map((expression) => ({ expression })),
      accepted: { ...model, filters: [...model.filters, ...expressions] },
      isRefusable: false,
    };
  },

  function rules(model, next) {
    const expressions = batch.map(() => expressionOf(next()));
    const body = expressions.map((expression) => ({ filter: { expression }, action: 'block' }));
    const filters = [...model.filters, ...expressions];
    const accepted = { ...model, filters, rules: model.rules + body.length };
    return { route: 'POST /firewall/rules', body, accepted, isRefusable: false };
  },

  function bundle(model, next) {
    const filters = batch.map((id) => ({ id: `${id}`, expression: expressionOf(next()) }));
    const rules = [{ filter: { id: '0' }, action: 'block' }];
    const head = { format: 'gatehouse.zone', version: 1, zone: { name: 'any.example' } };
    const expressions = filters.map(({ expression }) => expression);
    return {
      route: 'POST /import?mode=merge',
      body: { ...head, firewall: { filters, rules } },
      accepted: { ...model, filters: [...model.filters, ...expressions], rules: model.rules + 1 },
      isRefusable: false,
    };
  },

  function ordinaryUpdate(model, next) {
    const isBefore = model.state === 'start' && model.plan !== 'enterprise';
    const description = next();
    return {
      route: `PUT ${entryPointPath}`,
      body: { description, rules: [execute(!isBefore)] },
      accepted: { ...model, entryPoint: description },
      isRefusable: false,
    };
  },

  function validation(model, next) {
    const description = next();
    const isAllowed =
      model.plan === 'enterprise' && (model.state === 'start' || model.state === 'validation');
    return {
      route: `PUT ${entryPointPath}?waf_migration=validation&phase_two=1`,
      body: { description, rules: [execute(true)] },
      accepted: isAllowed ? { ...model, state: 'validation', entryPoint: description } : undefined,
      isRefusable: !isAllowed,
    };
  },

  function pending(model, next) {
    const description = next();
    return {
      route: `PUT ${entryPointPath}?waf_migration=pending&phase_two=1`,
      body: { description, rules: [execute(true)] },
      accepted:
        model.state === 'complete' ? undefined : { ...model, state: 'pending', entryPoint: description },
      isRefusable: model.state === 'pending' || model.state === 'complete',
    };
  },
];

function turnSwitch(model: ZoneModel): Command {
  const waf = model.waf === 'on' ? 'off' : 'on';
  return {
    route: 'PATCH /settings/waf',
    body: { value: waf },
    accepted: model.state === 'complete' ? undefined : { ...model, waf },
    isRefusable: model.state === 'pending' || model.state === 'complete',
  };
}

/** As many rules as the smallest plan allows, and as many filters as fit on a page. */
const rulesMax = 15;
const filtersMax = 90;

/** `next` returns an unused name. */
export function randomCommand(
  { known, isNeverOff }: { readonly known: ZoneModel; readonly isNeverOff: boolean },
  next: () => string,
  random: Random,
): Command {
  if (!isNeverOff && random.chance(0.15)) return turnSwitch(known);
  const isFull = known.rules > rulesMax || known.filters.length > filtersMax;
  const allowed = isFull ? makers.slice(3) : makers;
  return allowed[random.below(allowed.length)]!(known, next);
}

function expressionOf(name: string): string {
  return `http.request.uri.path eq "/${name}"`;
}
