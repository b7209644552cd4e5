/** The form of a token, and its conversion to the sent body. */
import type { Sent } from '#client';
import {
  getSubjectKey,
  type AccessLevel,
  type Owner,
  type Policy,
  scopes,
  type Subject,
  type Token,
} from './token.ts';

export interface TokenFields {
  readonly name: string;
  readonly owner: Owner;
  readonly levels: Readonly<Record<string, AccessLevel>>;
  /** Empty: all sites, including those that are created later. */
  readonly zoneIds: readonly string[];
  readonly isEveryZone: boolean;
  readonly isEnabled: boolean;
  /** Times are in the format of an input: local, to the minute. */
  readonly notBefore: string;
  readonly expiresOn: string;
  readonly allowed: string;
  readonly refused: string;
}

export const emptyContent: TokenFields = {
  name: '',
  owner: 'user',
  levels: {},
  zoneIds: [],
  isEveryZone: true,
  isEnabled: true,
  notBefore: '',
  expiresOn: '',
  allowed: '',
  refused: '',
};

/** Properties of the parts of the form. */
export interface PartProps {
  readonly value: TokenFields;
  readonly onChange: (part: Partial<TokenFields>) => void;
}

export interface Owners {
  readonly accountId: string;
  readonly userId: string;
}

/** One policy for each kind of resource on which a permission is granted. */
export function writePolicies(
  draft: TokenFields,
  subjects: readonly Subject[],
  { accountId, userId }: Owners,
): readonly Policy[] {
  const zones = draft.isEveryZone ? ['*'] : draft.zoneIds;
  const resources: Readonly<Record<string, Policy['resources']>> = {
    'com.cloudflare.api.account.zone': Object.fromEntries(
      zones.map((id) => [`com.cloudflare.api.account.zone.${id}`, '*']),
    ),
    'com.cloudflare.api.account': { [`com.cloudflare.api.account.${accountId}`]: '*' },
    'com.cloudflare.api.user': { [`com.cloudflare.api.user.${userId}`]: '*' },
  };
  return scopes.flatMap(({ id: scope }) => {
    const chosen = subjects
      .filter((subject) => subject.scope === scope)
      .flatMap((subject) => pickGroups(subject, draft.levels[getSubjectKey(subject)] ?? 'none'));
    if (chosen.length === 0) return [];
    return [{ effect: 'allow', permission_groups: chosen, resources: resources[scope]! } as const];
  });
}

function pickGroups({ read, write }: Subject, level: AccessLevel): readonly { readonly id: string }[] {
  if (level === 'none') return [];
  const groups = level === 'read' ? [read] : [read, write];
  return groups.flatMap((group) => (group === undefined ? [] : [{ id: group.id }]));
}

/** `before`: the token that is changed. Values that the form does not change are kept, to the second. */
export function writeToken(
  draft: TokenFields,
  policies: readonly Policy[],
  before?: Token,
): Sent<'tokens.create'> {
  const [allowed, refused] = [splitLines(draft.allowed), splitLines(draft.refused)];
  const addresses = {
    ...(allowed.length === 0 ? {} : { in: allowed }),
    ...(refused.length === 0 ? {} : { not_in: refused }),
  };
  const writeTime = (name: 'not_before' | 'expires_on', typed: string): object => {
    if (typed === '') return {};
    const isSame = typed === toLocalTime(before?.[name]);
    return { [name]: isSame ? before![name] : new Date(typed).toISOString() };
  };
  return {
    name: draft.name.trim(),
    policies,
    ...writeTime('not_before', draft.notBefore),
    ...writeTime('expires_on', draft.expiresOn),
    ...(Object.keys(addresses).length === 0 ? {} : { condition: { request_ip: addresses } }),
    ...(before === undefined ? {} : { status: draft.isEnabled ? 'active' : 'disabled' }),
  };
}

function splitLines(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** In the format of a local time input. */
function toLocalTime(moment: string | undefined): string {
  if (moment === undefined) return '';
  const time = new Date(moment);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface ReadDraft {
  readonly draft: TokenFields;
  /** Whether the form can show all permissions of the token. If not, its policies are kept. */
  readonly isWhole: boolean;
}

export function readDraft(
  token: Token,
  { owner, subjects, ...owners }: Owners & { readonly owner: Owner; readonly subjects: readonly Subject[] },
): ReadDraft {
  const addresses = token.condition?.request_ip ?? token.condition?.['request.ip'];
  const zones = token.policies.flatMap(({ resources }) =>
    Object.keys(resources).flatMap(
      (name) => /^com\.cloudflare\.api\.account\.zone\.(.+)$/.exec(name)?.[1] ?? [],
    ),
  );
  const given = new Set(token.policies.flatMap((policy) => policy.permission_groups.map(({ id }) => id)));
  const draft: TokenFields = {
    name: token.name,
    owner,
    levels: Object.fromEntries(
      subjects.map((subject) => [getSubjectKey(subject), readLevel(subject, given)]),
    ),
    zoneIds: zones.filter((id) => id !== '*'),
    isEveryZone: zones.length === 0 || zones.includes('*'),
    isEnabled: token.status !== 'disabled',
    notBefore: toLocalTime(token.not_before),
    expiresOn: toLocalTime(token.expires_on),
    allowed: (addresses?.in ?? []).join(', '),
    refused: (addresses?.not_in ?? []).join(', '),
  };
  const written = writePolicies(draft, subjects, owners);
  return { draft, isWhole: summarize(written) === summarize(token.policies) };
}

function readLevel({ read, write }: Subject, given: ReadonlySet<string>): AccessLevel {
  if (write !== undefined && given.has(write.id)) return 'write';
  return read !== undefined && given.has(read.id) ? 'read' : 'none';
}

/** The meaning of policies, whatever their order. */
function summarize(policies: readonly Policy[]): string {
  const lines = policies.map(({ effect, permission_groups, resources }) =>
    JSON.stringify([
      effect,
      permission_groups.map(({ id }) => id).toSorted(),
      Object.entries(resources)
        .map(([name, extent]) => JSON.stringify([name, extent]))
        .toSorted(),
    ]),
  );
  return lines.toSorted().join('\n');
}
