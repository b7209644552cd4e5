import { codes } from '../code.ts';

export const logpushCodes = codes({
  logpushNotFound: {
    code: 1002,
    status: 404,
    message: 'Logpush job {id} not found',
    advice: 'List the jobs of the zone: GET logpush/jobs.',
  },
  logpushInvalid: {
    code: 1010,
    status: 400,
    message: 'error parsing input: {reason}',
    advice: 'The pointer names the field, and the message the problem.',
  },
  logpushQuota: {
    code: 1004,
    status: 400,
    message: 'the account has {max} Logpush jobs, which is the maximum',
    advice: 'Delete one that is no longer needed.',
  },
});
