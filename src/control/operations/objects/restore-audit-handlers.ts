/** The line in the account's audit log about a zone that is put back. */
import { type Input, type objectOperations, ok } from '#api';
import type { Context, Handlers } from '../../context/handler.ts';

type Operations = Pick<typeof objectOperations, 'objects.restore'>;
type Noted = Input<Operations['objects.restore']> & { readonly before: string };

export const restoreAuditHandlers: Handlers<Context, Operations> = {
  'objects.restore'({ audit }, input) {
    const { path, body, before } = input as Noted;
    audit({
      resource: 'object',
      id: path['object']!,
      before: { class: path['class_name'], bookmark: before },
      after: { class: path['class_name'], bookmark: body.bookmark },
    });
    return ok(null);
  },
};
