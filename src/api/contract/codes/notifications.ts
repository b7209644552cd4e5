import { codes } from '../code.ts';

export const alertingCodes = codes({
  alertingNotFound: {
    code: 17002,
    status: 404,
    message: '{what} {id} does not exist',
    advice: 'List the existing ones: GET alerting/v3/policies or alerting/v3/destinations/webhooks.',
  },
  alertingInvalid: {
    code: 17003,
    status: 400,
    message: 'invalid input: {reason}',
    advice: 'The pointer names the field, and the message the problem.',
  },
  alertingQuota: {
    code: 17004,
    status: 400,
    message: 'there can be at most {max} {what}',
    advice: 'Delete one that is no longer needed.',
  },
  alertingInUse: {
    code: 17005,
    status: 412,
    message: 'the webhook is used by the policy {policy}',
    advice: 'Remove it from the policy, then delete it.',
  },
});
