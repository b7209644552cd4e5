/**
 * Operations that change objects. Each is an event of the object (or replaces its storage as a whole), must be
 * confirmed with the name of the object, and passes the policy of the program.
 */
import { AssertionError } from 'node:assert';
import { diskRefusalOf } from '#files';
import { Fault, fault, type ObjectChangeId, objectCodes, ok } from '#contract';
import { fromTypedJson, type OperatorAction, type OperatorResult } from '#objects';
import { encodeValue } from '#values';
import { findHistory, findObject } from './find-object.ts';
import type { InspectionHandlers } from './handler.ts';
import {
  type Change,
  type ChangeNote,
  type FoundObject,
  type Inspection,
  nameToConfirm,
} from './inspection.ts';
import { notedCharactersMax, rowsDefault } from '../limits.ts';
import { askCopy } from './copies/object-copy.ts';
import { findCopy } from './reading-handlers.ts';
import { showCell } from './show.ts';

type ChangingHandlers = Pick<InspectionHandlers, ObjectChangeId>;

export const changingHandlers: ChangingHandlers = {
  async 'objects.restore'(inspection, { path, body }) {
    const found = await findObject(inspection, path);
    const history = await findHistory(inspection, found, body.bookmark);
    const refusal = inspection.policy.explainRefusal('restore', found);
    if (refusal !== undefined) throw fault(objectCodes.objectNotRestorable, { fill: { reason: refusal } });
    checkConfirmed(inspection, found, body.confirm);
    const note = { before: { bookmark: await history.current() }, after: { bookmark: body.bookmark } };
    const { onProgress } = inspection;
    const undo = await inspection.policy.perform(found, note, () =>
      history.restore(body.bookmark, onProgress === undefined ? {} : { onProgress }),
    );
    return ok({ undo });
  },

  async 'objects.execute'(inspection, { path, body }) {
    const { sql, limit = rowsDefault } = body;
    const found = await findObject(inspection, path);
    checkAllowed(inspection, 'write', found);
    checkConfirmed(inspection, found, body.confirm);
    // First on a copy, in a process that can be killed: a statement that never ends would block every object.
    await askCopy(await findCopy(inspection, path, undefined), { kind: 'rehearsal', sql, limit });
    const action: OperatorAction = { do: 'sql', sql, rowsMax: limit };
    const {
      columns,
      rows = [],
      hasMore,
      rowsWritten,
      undo,
    } = await change(inspection, found, action, {
      after: { sql: sql.slice(0, notedCharactersMax) },
    });
    const shown = rows.map((row) => row.map(showCell));
    return ok({ columns, rows: shown, has_more: hasMore, rows_written: rowsWritten, undo });
  },

  async 'objects.putValue'(inspection, { path, body }) {
    const { key, value: text, version } = body;
    const found = await findObject(inspection, path);
    checkAllowed(inspection, 'write', found);
    checkConfirmed(inspection, found, body.confirm);
    const value = readValue(text);
    const { undo } = await change(
      inspection,
      found,
      { do: 'put', key, value, ...readVersion(version) },
      { after: { key: key.slice(0, notedCharactersMax), value: text.slice(0, notedCharactersMax) } },
    );
    return ok({ key, ...(undo === undefined ? {} : { undo }) });
  },

  async 'objects.deleteValue'(inspection, { path, query }) {
    const { key = '', version, confirm = '' } = query;
    const found = await findObject(inspection, path);
    checkAllowed(inspection, 'write', found);
    checkConfirmed(inspection, found, confirm);
    const { undo, existed } = await change(
      inspection,
      found,
      { do: 'delete', key, ...readVersion(version) },
      { before: { key: key.slice(0, notedCharactersMax) } },
    );
    if (existed !== true) throw fault(objectCodes.objectValueNotFound);
    return ok({ key, ...(undo === undefined ? {} : { undo }) });
  },

  async 'objects.runAlarm'(inspection, { path }) {
    const { runtime, policy } = inspection;
    const found = await findObject(inspection, path);
    checkAllowed(inspection, 'run-alarm', found);
    const note = { after: { alarm: 'run' } };
    const outcome = await policy.perform(found, note, () => runtime.runAlarm(found.id));
    if (outcome === 'none') throw fault(objectCodes.objectAlarmNotSet);
    if (outcome === 'running') throw fault(objectCodes.objectAlarmRunning);
    const isSkipped = outcome.result === 'settled' && outcome.skipped === true;
    const { error } = outcome;
    return ok({
      outcome: isSkipped ? 'skipped' : error === undefined ? 'completed' : 'failed',
      ...(error === undefined ? {} : { error: error.slice(0, notedCharactersMax) }),
    });
  },

  async 'objects.cancelAlarm'(inspection, { path }) {
    const found = await findObject(inspection, path);
    checkAllowed(inspection, 'cancel-alarm', found);
    const note = { before: { alarm: 'set' } };
    const { existed, undo } = await change(inspection, found, { do: 'cancel-alarm' }, note);
    if (existed !== true) throw fault(objectCodes.objectAlarmNotSet);
    return ok({ id: found.id.toString(), ...(undo === undefined ? {} : { undo }) });
  },
};

function checkAllowed({ policy }: Inspection, kind: Change, found: FoundObject): void {
  const reason = policy.explainRefusal(kind, found);
  if (reason !== undefined) throw fault(objectCodes.objectNotChangeable, { fill: { reason } });
}

function checkConfirmed(inspection: Inspection, found: FoundObject, confirm: string): void {
  const name = nameToConfirm(inspection, found);
  if (confirm !== name) throw fault(objectCodes.objectNotConfirmed, { pointer: '/confirm', fill: { name } });
}

/** The value as it is stored. */
function readValue(text: string): Uint8Array {
  try {
    return encodeValue(fromTypedJson(text));
  } catch (error) {
    const reason = (error as Error).message;
    throw fault(objectCodes.objectValueInvalid, { pointer: '/value', fill: { reason } });
  }
}

/** `none` means that there was no value. */
function readVersion(version: string | undefined): { version?: string | null } {
  if (version === undefined || version === '') return {};
  return { version: version === 'none' ? null : version };
}

async function change(
  { runtime, policy }: Inspection,
  found: FoundObject,
  action: OperatorAction,
  note: ChangeNote,
): Promise<OperatorResult> {
  return await policy.perform(found, note, async () => {
    try {
      return await runtime.operate(found.id, action);
    } catch (error) {
      throw explain(error as Error & { code?: unknown });
    }
  });
}

/**
 * Errors of the object, its code or its data are reported to the client; those of the disk and our own bugs are
 * reported elsewhere.
 */
function explain(error: Error & { code?: unknown }): Error {
  if (error instanceof Fault || error instanceof AssertionError || diskRefusalOf(error) !== undefined)
    return error;
  if (error.code === 'OBJECT_CHANGED') return fault(objectCodes.objectChanged);
  // From the cause, the code that follows changes sees whether the change may have been made.
  return Object.assign(fault(objectCodes.objectChangeFailed, { fill: { reason: error.message } }), {
    cause: error,
  });
}
