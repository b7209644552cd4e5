/** Operations on stateful objects, as the room `operator` answers them, restricted to what this program allows. */
import type { IdsOf } from '#contract';
import { inspectionHandlers } from '#operator';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { createInspection } from './object-policy.ts';

type Ids = IdsOf<'objects'>;

export const objectHandlers = Object.fromEntries(
  Object.entries(inspectionHandlers).map(([id, handle]) => [
    id,
    (context: ObjectsContext, input: never) => handle(createInspection(context), input),
  ]),
) as unknown as ObjectsHandlers<Ids>;
