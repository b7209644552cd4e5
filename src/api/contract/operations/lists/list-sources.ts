/** The source from which a list is updated automatically: ours. */
import { listSourceCodes as codes } from '../../codes/lists.ts';
import { listCodes } from '../../codes/lists.ts';
import { operationsOf } from '../../operation.ts';
import type { Permission } from '../../permissions.ts';
import {
  choice,
  deleted,
  flag,
  ignored,
  integer,
  named,
  nullable,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
  whole,
} from '#shapes';

const read: readonly Permission[] = ['ruleListsRead', 'ruleListsWrite'];
const operation = operationsOf({ api: 'filters', isOurs: true, read, write: ['ruleListsWrite'] });
const kinds = ['url', 'crowdsec'] as const;

const source = named(
  'ListSource',
  record({
    kind: choice(kinds),
    url: string,
    interval_seconds: whole,
    /** Whether a key is sent. The key itself is never shown. */
    has_key: flag(),
    /** When the source was last read successfully; null if it never was. */
    fetched_on: nullable(timestamp),
    /** When that last changed the list. */
    changed_on: nullable(timestamp),
    age_seconds: nullable(whole),
    next_on: timestamp,
    /** Why the last attempt failed: the list is unchanged. */
    problem: nullable(string),
  }),
);

const path = '/accounts/{account_id}/rules/lists/{list_id}/source';

export const listSourceOperations = {
  'listSources.get': operation(`GET ${path}`, {
    summary: 'Get the source of the items of a list, and their age',
    isPersonal: true,
    result: source,
    codes: [listCodes.listNotFound, codes.listSourceNotFound],
  }),
  'listSources.set': operation(`PUT ${path}`, {
    summary: 'Fill a list from a URL or from CrowdSec, now and on a schedule; its items are replaced',
    body: named(
      'NewListSource',
      object({
        kind: optional(choice(kinds)),
        url: text({ min: 8, max: 2_048 }),
        interval_seconds: optional(integer({ min: 10, max: 604_800 })),
        /** The key of a CrowdSec bouncer, or a bearer token. If omitted, the stored key stays. */
        key: optional(nullable(text({ max: 500 }))),
        has_key: ignored(),
      }),
    ),
    result: source,
    codes: [listCodes.listNotFound, codes.listSourceInvalid],
  }),
  'listSources.delete': operation(`DELETE ${path}`, {
    summary: 'Remove the source of a list; its items stay',
    result: deleted,
    codes: [listCodes.listNotFound, codes.listSourceNotFound],
  }),
};
