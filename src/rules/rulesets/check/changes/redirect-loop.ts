/**
 * Detects rules that redirect requests to their own targets, alone or in a cycle of several rules. A visitor who
 * follows the redirects keeps address, browser and cookies; only the URL changes, and the method becomes GET. So the
 * conditions on the URL are known, and all others can have either result: if the expression can be true, the redirects
 * are endless for some visitors.
 */
import { type Expression, type Filter, interpret, parse, type RequestView, usesOf } from '#expressions';
import { bytesOf } from '#text';
import { requestFrom } from '#request';
import { accountScheme } from '../../expression.ts';
import type { RedirectParameters, RuleDraft } from '../../model.ts';
import { splitLocation, writeLocation } from '../../written/location.ts';

export interface RedirectQuestion {
  readonly expression: string;
  /** The URL that the visitor gets. */
  readonly location: string;
  readonly status: number;
  readonly zoneName: string | undefined;
}

const ofPath = /^(?:raw\.)?http\.request\.uri(?:\.|$)/;
const ofHost = /^(?:http\.host|ssl|(?:raw\.)?http\.request\.full_uri)$/;

export function redirectsItself({ expression, ...target }: RedirectQuestion): boolean {
  const parsed = parse(expression, { scheme: accountScheme });
  return parsed.ok && judgeTarget(parsed.tree, target).canBeTrue;
}

interface StaticRedirect {
  readonly index: number;
  readonly filter: Filter;
  /** Undefined if it depends on the request. */
  readonly location: string | undefined;
  readonly status: number;
}

/** How often a rule is compared with a target: enough for a hundred rules that redirect within the site. */
const comparisonsMax = 10_000;

/**
 * The positions of rules that form a cycle for every visitor; empty if there are none. A rule that applies to only some
 * visitors may lead out of the cycle.
 */
export function findRedirectCircle(
  rules: readonly Pick<RuleDraft, 'expression' | 'enabled' | 'action_parameters'>[],
  zoneName: string | undefined,
): readonly number[] {
  const redirects = rules.flatMap((rule, index) => readRedirect(rule, index));
  let comparisons = 0;
  const findNext = ({ location, status }: StaticRedirect): StaticRedirect | undefined => {
    if (location === undefined) return undefined;
    for (const each of redirects) {
      if (comparisons++ >= comparisonsMax) return undefined;
      const { canBeTrue, canBeFalse } = judgeTarget(each.filter, { location, status, zoneName });
      if (canBeTrue) return canBeFalse ? undefined : each;
    }
    return undefined;
  };
  const nexts = new Map(redirects.map((each) => [each, findNext(each)]));
  for (const start of redirects) {
    const passed: StaticRedirect[] = [];
    for (let at: StaticRedirect | undefined = start; at !== undefined; at = nexts.get(at)) {
      const begin = passed.indexOf(at);
      if (begin >= 0) return passed.slice(begin).map(({ index }) => index);
      passed.push(at);
    }
  }
  return [];
}

function readRedirect(
  { expression, enabled, action_parameters }: Parameters<typeof findRedirectCircle>[0][number],
  index: number,
): StaticRedirect[] {
  const { from_value: from } = (action_parameters ?? {}) as RedirectParameters;
  const parsed = parse(expression, { scheme: accountScheme });
  if (from === undefined || !enabled || !parsed.ok) return [];
  const { value } = from.target_url as { readonly value?: string };
  const location = value === undefined ? undefined : writeLocation(bytesOf(value));
  return [{ index, filter: parsed.tree, location, status: from.status_code ?? 302 }];
}

function judgeTarget(
  filter: Filter,
  { location, status, zoneName }: Omit<RedirectQuestion, 'expression'>,
): Possible {
  const { origin, uri } = splitLocation(location);
  if (origin !== undefined && !isOfZone(origin.host, zoneName)) return never;
  const url = origin === undefined ? uri : `${origin.scheme}://${origin.host}${uri}`;
  const becomesGet = status !== 307 && status !== 308;
  const view = requestFrom({
    url,
    fields: new Map(origin === undefined ? [] : [['http.host', bytesOf(origin.host)]]),
  });
  const isKnown = (field: string): boolean =>
    ofPath.test(field) ||
    (origin !== undefined && ofHost.test(field)) ||
    (becomesGet && field === 'http.request.method');
  return judge(filter.root, { view, isKnown });
}

function isOfZone(host: string, zoneName: string | undefined): boolean {
  return zoneName !== undefined && (host === zoneName || host.endsWith(`.${zoneName}`));
}

interface KnownValues {
  readonly view: RequestView;
  isKnown(field: string): boolean;
}

interface Possible {
  readonly canBeTrue: boolean;
  readonly canBeFalse: boolean;
}

const either: Possible = { canBeTrue: true, canBeFalse: true };
const never: Possible = { canBeTrue: false, canBeFalse: true };

function judge(root: Expression, known: KnownValues): Possible {
  switch (root.kind) {
    case 'and':
    case 'or': {
      const items = root.items.map((item) => judge(item, known));
      return root.kind === 'and'
        ? {
            canBeTrue: items.every(({ canBeTrue }) => canBeTrue),
            canBeFalse: items.some(({ canBeFalse }) => canBeFalse),
          }
        : {
            canBeTrue: items.some(({ canBeTrue }) => canBeTrue),
            canBeFalse: items.every(({ canBeFalse }) => canBeFalse),
          };
    }
    case 'not': {
      const { canBeTrue, canBeFalse } = judge(root.item, known);
      return { canBeTrue: canBeFalse, canBeFalse: canBeTrue };
    }
    default:
      return judgeAlone(root, known);
  }
}

/** One condition: known if everything that it reads is known. */
function judgeAlone(root: Expression, { view, isKnown }: KnownValues): Possible {
  const filter: Filter = { kind: 'filter', source: '', root };
  const { fields, lists } = usesOf(filter);
  const isClear =
    lists.size === 0 && [...fields].every(({ key, filledBy }) => filledBy === 'constant' || isKnown(key));
  if (!isClear) return either;
  const result = interpret(filter)(view);
  return { canBeTrue: result, canBeFalse: !result };
}
