import { codes } from '../code.ts';

export const alertingCodes = codes({
  alertingNotFound: {
    code: 17002,
    status: 404,
    message: '{what} {id} does not exist',
    advice: 'List what there is: GET alerting/v3/policies or alerting/v3/destinations/webhooks.',
  },
  alertingInvalid: {
    code: 17003,
    status: 400,
    message: 'invalid input: {reason}',
    advice: 'The pointer names the field, and the message says what is wrong with it.',
  },
  alertingQuota: {
    code: 17004,
    status: 400,
    message: 'there can be at most {max} {what}',
    advice: 'Delete one that is not needed any more.',
  },
  alertingInUse: {
    code: 17005,
    status: 412,
    message: 'the webhook is used by the policy {policy}',
    advice: 'Take it out of the policy, then delete it.',
  },
});
