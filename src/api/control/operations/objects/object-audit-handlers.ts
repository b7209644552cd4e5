/** Entries of the account's audit log about objects that an operator changes. */
import { type Input, type ObjectChangeId, ok, type Reply } from '#contract';
import type { ChangeNote } from '#operator';
import type { Context, Handlers } from '../../context/handler.ts';

interface Noted extends ChangeNote {
  readonly class: string;
  readonly object: string;
}

function note({ audit }: Context, input: Input): Reply<never> {
  const { class: className, object, before, after } = (input as Input & { readonly noted: Noted }).noted;
  audit({
    resource: 'object',
    id: object,
    before: before && { class: className, ...before },
    after: after && { class: className, ...after },
  });
  return ok(null as never);
}

export const objectAuditHandlers: Handlers<Context, ObjectChangeId> = {
  'objects.restore': note,
  'objects.execute': note,
  'objects.putValue': note,
  'objects.deleteValue': note,
  'objects.runAlarm': note,
  'objects.cancelAlarm': note,
};
