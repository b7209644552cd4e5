/**
 * Looking into stateful objects over the API, and changing them: the operations of the control plane and, with the same
 * rows, codes and page, of `gatehouse dev`. What differs between the two is an `InspectionPolicy`.
 *
 * ```ts
 * const api = new ObjectsApi({ runtime, cookie: 'gatehouse_dev', now: () => Date.now(), onError });
 * const response = await api.answer(request); // GET /client/v4/accounts/…/objects
 * ```
 *
 * Looking wakes no object: it reads a copy, with SQL in a process of its own that can be ended. A change is an event of the
 * object itself, so its gates, its journal and its history have it like any other.
 */
export { inspectionHandlers } from './inspector/handlers.ts';
export type {
  Change,
  ChangeNote,
  FoundObject,
  Inspection,
  InspectionPolicy,
  SecretColumn,
} from './inspector/inspection.ts';
export { ObjectsApi } from './inspector/objects-api.ts';
