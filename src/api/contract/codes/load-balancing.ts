import { codes } from '../code.ts';

export const loadBalancingCodes = codes({
  balancingNotFound: {
    code: 1000,
    status: 404,
    message: '{what} {id}: not found',
    advice:
      'List the existing ones: GET load_balancers of the zone, load_balancers/pools or load_balancers/monitors.',
  },
  balancingInvalid: {
    code: 1002,
    status: 400,
    message: '{reason}: validation failed',
    advice: 'The pointer names the field, and the message the problem.',
  },
  balancingIdle: {
    code: 1006,
    status: 200,
    message: '{field} is stored but has no effect: {reason}',
    advice:
      'Comes as a message, not as an error. docs/operate/load-balancing.md describes how pools and origins are chosen.',
  },
  balancingInUse: {
    code: 1005,
    status: 412,
    message: '{what} is in use by {users}: precondition failed',
    advice: 'Remove it from the pools or load balancers that the message names, then delete it.',
  },
  balancingQuota: {
    code: 1003,
    status: 400,
    message: 'there can be at most {max} {what}: quota exceeded',
    advice: 'Delete those that no load balancer uses.',
  },
});
