import { codes } from '../code.ts';

export const edgeCodes = codes({
  originInvalid: {
    code: 11001,
    status: 400,
    message: 'edge.api.invalid_origin: {reason}',
    advice:
      'An origin is `http://` or `https://`, a host and perhaps a port; it has no path, user name or query.',
  },
  edgeEventInvalid: {
    code: 11002,
    status: 400,
    message: 'edge.api.invalid_event: {reason}',
    advice: 'Events are sent by `gatehouse edge`: update it if it is older or newer than the control plane.',
  },
  forwardedFieldInvalid: {
    code: 11005,
    status: 400,
    message: 'edge.api.invalid_forwarded_field: {reason}',
    advice:
      'Name only fields that are withheld from origins, such as `x-real-ip` or `x-original-url`: docs/deployment.md lists them. All others reach the origin anyway, or never do.',
  },
});
