/**
 * Parts of an upload that are stored but have no effect here. The messages of the answer list them, and for a complete
 * upload also the only part of a success that Wrangler prints.
 */
import { entryOf, type Message, type Result, workerCodes } from '#contract';
import type { WorkerRow, VersionRow } from '../../../stores/workers.ts';
import { absentBindings } from '../script-bindings.ts';

interface Note {
  /** The spelling in a configuration. */
  readonly about: string;
  readonly what: string;
}

type Noted = Pick<VersionRow, 'bindings' | 'runtime'>;

export function listMessages(version: Noted, settings?: WorkerRow['settings']): Message[] {
  return listNotes(version, settings).map(({ about, what }) =>
    entryOf(workerCodes.uploadIdle, { fill: { what: `${about}: ${what}` } }),
  );
}

export function describeForWrangler(
  version: Noted,
  settings: WorkerRow['settings'],
): Pick<Result<'workers.upload'>, 'exports_reconciliation'> {
  const warnings = listNotes(version, settings).map(({ about, what }) => ({
    scenario: 'not available here',
    class: about,
    message: what,
  }));
  if (warnings.length === 0) return {};
  const none = { created: [], updated: [], deleted: [], renamed: [], transferred: [], transfer_pending: [] };
  return { exports_reconciliation: { ...none, warnings, info: [], removable_entries: [] } };
}

function listNotes({ bindings, runtime }: Noted, settings: WorkerRow['settings'] | undefined): Note[] {
  const notes: Note[] = bindings.flatMap(({ name, type }) => {
    const becomes = absentBindings.get(type);
    return becomes === undefined
      ? []
      : [{ about: `binding ${name}`, what: `there is no ${type} here, so ${becomes}` }];
  });
  const { cpu_ms: cpu } = Object(runtime.limits ?? {}) as { readonly cpu_ms?: unknown };
  if (typeof cpu === 'number')
    notes.push({
      about: 'limits.cpu_ms',
      what: `it is stored but does not end requests that take longer than ${cpu} ms`,
    });
  return [...notes, ...noteTailConsumers(settings?.tailConsumers)];
}

function noteTailConsumers(consumers: unknown): Note[] {
  if (!Array.isArray(consumers) || consumers.length === 0) return [];
  const names = consumers.map((each) => String((Object(each) as { readonly service?: unknown }).service));
  return [
    {
      about: 'tail_consumers',
      what: `they are stored, but ${names.join(', ')} gets no tail events; use wrangler tail`,
    },
  ];
}
