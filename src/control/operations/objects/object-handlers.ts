/** Operations on stateful objects, as the room `inspector` answers them, with what this program allows. */
import type { objectOperations } from '#contract';
import { inspectionHandlers } from '#inspector';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { createInspection } from './object-policy.ts';

type Ids = keyof typeof objectOperations;

export const objectHandlers = Object.fromEntries(
  Object.entries(inspectionHandlers).map(([id, handle]) => [
    id,
    (context: ObjectsContext, input: never) => handle(createInspection(context), input),
  ]),
) as unknown as ObjectsHandlers<Pick<typeof objectOperations, Ids>>;
