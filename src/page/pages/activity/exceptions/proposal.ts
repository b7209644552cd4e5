/** A proposed exception: what it does, which events of the log it would have prevented, and how it is saved. */
import { client, lookUp } from '../../../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../../../api/guarded-write.ts';
import type { EventSearch } from '../../../api/events.ts';
import type { SecurityEvent } from '../../../api/types.ts';
import { type Explained, findRule } from '../explained.ts';

export interface Proposal {
  readonly title: string;
  /** What is changed in the configuration. */
  readonly effect: string;
  /** The requests that it is for, in the rules language; absent if for all. */
  readonly expression?: string;
  /** The events that it would have prevented. */
  readonly affected: Pick<EventSearch, 'where' | 'expression'>;
  /** Rejects, and changes nothing, if someone else has changed what it is based on. */
  readonly save: () => Promise<void>;
}

export interface ExceptedZone {
  readonly id: string;
  readonly accountId: string;
  readonly plan: string;
}

/** What every product's proposals are made of. */
export interface Excepted {
  readonly zone: ExceptedZone;
  readonly event: SecurityEvent;
  /** The rules to switch off: those that added up, if a score decided. */
  readonly ruleIds: readonly string[];
  readonly host: string;
  /** As rules see it. */
  readonly path: string;
  readonly scopes: readonly Scope[];
  readonly parts: Explained['arguments'];
}

export interface Scope {
  readonly title: string;
  readonly expression: string;
}

/** What a rule's expression can be narrowed by: where the request went, or who sent it. */
export function listConditions({ event, scopes }: Excepted): readonly Scope[] {
  const { clientIP } = event;
  return [...scopes, { title: `for the address ${clientIP}`, expression: `ip.src eq ${clientIP}` }];
}

export function readExcepted(zone: ExceptedZone, explained: Explained): Excepted {
  const { event, explanation } = explained;
  const host = event.clientRequestHTTPHost;
  const path = explanation?.path ?? event.clientRequestPath;
  const contributions = findRule(explained)?.score?.contributions;
  return {
    zone,
    event,
    ruleIds: contributions?.map(({ ruleId }) => ruleId) ?? [event.ruleId],
    host,
    path,
    scopes: listScopes(host, path),
    parts: explained.arguments,
  };
}

/** The log keeps this much of a path, in bytes. */
const pathBytesKept = 2_048;

/** From the narrowest on: the path, then the folder that it is in. */
function listScopes(host: string, path: string): readonly Scope[] {
  const onHost = `http.host eq ${quoteText(host)}`;
  const isCut = new TextEncoder().encode(path).length >= pathBytesKept;
  const onPath = isCut
    ? `starts_with(http.request.uri.path, ${quoteText(path)})`
    : `http.request.uri.path eq ${quoteText(path)}`;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const scopes = [{ title: `on ${shorten(path)}`, expression: `${onHost} and ${onPath}` }];
  if (folder.length > 1 && folder !== path) {
    scopes.push({
      title: `on everything below ${shorten(folder)}`,
      expression: `${onHost} and starts_with(http.request.uri.path, ${quoteText(folder)})`,
    });
  }
  return scopes;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** As a string literal of the rules language. */
function quoteText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replaceAll(/["\\\u0000-\u001f\u007f]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `"${escaped}"`;
}

export function exceptFrom(expression: string, excepted: string): string {
  return `(${expression}) and not (${excepted})`;
}

/** The events of the rule, or of all rules of its product. */
export function ofRule({ ruleId, rulesetId }: SecurityEvent): readonly string[] {
  return [`ruleId:eq:${ruleId}`, `rulesetId:eq:${rulesetId}`];
}

export const description = 'Exception made from the activity log';

/** Undefined if it does not exist. */
export async function getIfThere<Result>(path: string): Promise<Result | undefined> {
  return (await lookUp(client.ask<Result>('GET', path))).result;
}

/** Nobody's change is overwritten unseen: `seen` has what was read from each path. */
export async function saveIfAsSeen(
  seen: ReadonlyMap<string, unknown>,
  write: (version: Version) => Promise<unknown>,
): Promise<void> {
  await writeUnlessChanged(async () => {
    const found = await Promise.all([...seen.keys()].map((path) => lookUp(client.ask('GET', path))));
    const values = [...seen.values()];
    if (found.every(({ result }, index) => isSame(result, values[index]))) return found[0]!.version;
    throw new Error(
      'Someone else has changed this rule since the proposal was made. Nothing was saved. Close this window and open the event again.',
    );
  }, write);
}
