/**
 * Whether a rule redirects requests for its own target. A visitor who follows it keeps address, browser and cookies; only
 * the URL changes, and the method becomes GET. So what the expression says about the URL is known, and all else can be one
 * way or the other: if the expression can be true, there are visitors who never arrive.
 */
import { type Expression, type Filter, interpret, parse, type RequestView, usesOf } from '#expressions';
import { bytesOf } from '#base';
import { requestFrom } from '#request';
import { accountScheme } from '../../expression.ts';
import { splitLocation } from '../../written/location.ts';

export interface RedirectQuestion {
  readonly expression: string;
  /** As the visitor gets it. */
  readonly location: string;
  readonly status: number;
  readonly zoneName: string | undefined;
}

const ofPath = /^(?:raw\.)?http\.request\.uri(?:\.|$)/;
const ofHost = /^(?:http\.host|ssl|(?:raw\.)?http\.request\.full_uri)$/;

export function redirectsItself({ expression, location, status, zoneName }: RedirectQuestion): boolean {
  const parsed = parse(expression, { scheme: accountScheme });
  if (!parsed.ok) return false;
  const { origin, uri } = splitLocation(location);
  if (origin !== undefined && !isOfZone(origin.host, zoneName)) return false;
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
  return judge(parsed.tree.root, { view, isKnown }).canBeTrue;
}

function isOfZone(host: string, zoneName: string | undefined): boolean {
  return zoneName !== undefined && (host === zoneName || host.endsWith(`.${zoneName}`));
}

interface Known {
  readonly view: RequestView;
  isKnown(field: string): boolean;
}

interface Possible {
  readonly canBeTrue: boolean;
  readonly canBeFalse: boolean;
}

const either: Possible = { canBeTrue: true, canBeFalse: true };

function judge(root: Expression, known: Known): Possible {
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

/** One condition: known if everything that it reads is. */
function judgeAlone(root: Expression, { view, isKnown }: Known): Possible {
  const filter: Filter = { kind: 'filter', source: '', root };
  const { fields, lists } = usesOf(filter);
  const isClear =
    lists.size === 0 && [...fields].every(({ key, filledBy }) => filledBy === 'constant' || isKnown(key));
  if (!isClear) return either;
  const result = interpret(filter)(view);
  return { canBeTrue: result, canBeFalse: !result };
}
