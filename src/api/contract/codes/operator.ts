import { codes } from '../code.ts';

/** Codes that only the socket of a data directory answers with. */
export const operatorCodes = codes({
  operatorFailed: {
    code: 11401,
    status: 500,
    message: 'operator.api.failed: {reason}',
    advice: 'The reason comes from the program itself. Owners of the data directory get it unchanged.',
  },
  operatorNotServed: {
    code: 11402,
    status: 404,
    message: 'operator.api.not_served: the program on this directory has no {what}',
    advice:
      'Deployments are of `gatehouse run` and of the Workers of `gatehouse serve`, a clock is of `gatehouse dev --clock virtual`, installed rules and a cluster are of `gatehouse serve`.',
  },
  operatorBusy: {
    code: 11403,
    status: 503,
    message: 'operator.api.busy: the server accepts no more clients: it has {count}',
    advice: 'Try again in a moment.',
  },
  operatorAway: {
    code: 11404,
    status: 503,
    message: 'operator.api.away: the process of the Worker is not running now',
    advice: 'It is restarted automatically. If not, the log of the program has the reason.',
  },
  objectFileInvalid: {
    code: 11405,
    status: 400,
    message: 'operator.api.invalid_file: cannot import, the file is not a whole database: {reason}',
    advice: 'Send a SQLite file, and its write-ahead log behind it if it has one.',
  },
  directoryFull: {
    code: 11406,
    status: 507,
    message:
      'operator.api.no_space: there is not enough room in {directory}: an import temporarily needs three times the size of its file',
    advice: 'Free space on the disk of the data directory.',
  },
  deploymentRefused: {
    code: 11407,
    status: 400,
    message: 'operator.api.not_deployed: {reason}',
    advice: 'The current version keeps running. Fix the problem in the message, and deploy again.',
  },
  clockRefused: {
    code: 11408,
    status: 400,
    message: 'operator.api.clock: cannot move the clock: {reason}',
    advice: 'Time can only move forward, by at most 100 years at once.',
  },
  moveInRefused: {
    code: 11410,
    status: 400,
    message: 'operator.api.not_moved_in: {reason}',
    advice: 'Nothing was changed. Fix the problem in the message, and repeat the call.',
  },
  backupIncomplete: {
    code: 11411,
    status: 500,
    message: 'operator.api.backup_incomplete: {reason}',
    advice:
      'No backup was made, and an earlier one is unchanged. Fix the problem in the message, and repeat the call.',
  },
  coreRulesRefused: {
    code: 11409,
    status: 400,
    message: 'operator.api.core_rules: {reason}',
    advice: 'GET /core_rules lists the versions that are installed.',
  },
});
