/** Shared parts of the rows of uploaded Workers. */
import { genericCodes } from '../../codes/generic.ts';
import { storeCodes } from '../../codes/stores.ts';
import { workerCodes as codes } from '../../codes/workers.ts';
import type { Permission } from '../../permissions.ts';
import { choiceParameter, flagParameter, named, record, string } from '#shapes';

const api = 'workers';
export const workersRead: readonly Permission[] = ['workersRead', 'workersWrite'];
/** The logs of a Worker can be read with a permission of their own, or with that of its settings. */
export const workersFollow: readonly Permission[] = ['workersTailRead', ...workersRead];
export const workersWrite: readonly Permission[] = ['workersWrite'];

/** Wrangler's pattern, and every such name can be the label of a host name. */
const scriptName = /^[a-z0-9_][a-z0-9_-]{0,62}$/;
export const script = '/accounts/{account_id}/workers/scripts/{script_name}';
const segments = { script_name: scriptName } as const;
/** Handlers call processes as well as the account. */
export const several = { answeredBy: 'several objects', api, segments } as const;
export const ofAccount = { api, segments } as const;

export const loading = [
  codes.notUploadable,
  codes.invalid,
  codes.tooLarge,
  codes.unsupported,
  codes.changedMeanwhile,
] as const;
export const uploadQuery = {
  excludeScript: flagParameter('Ignored: the code is never sent back.'),
  bindings_inherit: choiceParameter(['strict'], 'Ignored: inherited bindings must always exist.'),
};

export const uploading = [
  ...loading,
  codes.uploadMalformed,
  codes.bindingUnnamed,
  codes.inheritUnknown,
  codes.classNotBindable,
  codes.serviceUnknown,
  codes.serviceEnvironment,
  codes.classNotExported,
  codes.noHandlers,
  codes.tooManyWorkers,
  codes.assetsRefused,
  storeCodes.kvNotBindable,
  storeCodes.bucketNotBindable,
  storeCodes.queueNotFound,
  genericCodes.bodyIncomplete,
] as const;
export const binding = named('WorkerBinding', record({ type: string, name: string }));
