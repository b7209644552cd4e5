import { codes } from '../code.ts';

export const edgeCodes = codes({
  originInvalid: {
    code: 11001,
    status: 400,
    message: 'edge.api.invalid_origin: {reason}',
    advice:
      'An origin is `http://` or `https://`, a host and optionally a port, without path, user name or query.',
  },
  edgeEventInvalid: {
    code: 11002,
    status: 400,
    message: 'edge.api.invalid_event: {reason}',
    advice: 'Events are sent by `gatehouse edge`: update it if it is older or newer than the control plane.',
  },
  originPrivate: {
    code: 11003,
    status: 400,
    message:
      'edge.api.private_origin: {host} is a private address, and the setting allow_private_origins of the server is off',
    advice:
      'Start the server, and each `gatehouse edge`, with `--allow-private-origins true` (`GATEHOUSE_ALLOW_PRIVATE_ORIGINS`, `allow_private_origins` in the file) if everyone who can configure a zone may reach the private network of the edge.',
  },
  originForbidden: {
    code: 11004,
    status: 400,
    message: 'edge.api.forbidden_origin: {host} cannot be an origin',
    advice:
      'No setting allows cloud metadata services, addresses that no host can have, or the listeners of Gatehouse itself.',
  },
  workerUnknown: {
    code: 11006,
    status: 400,
    message: 'edge.api.unknown_worker: no Worker with the name {worker} runs here; running Workers: {known}',
    advice:
      'Start the server with the Worker: `--workers NAME=PATH`, or `workers = { NAME = "PATH" }` in the file (docs/build/workers.md).',
  },
  scoresUnconfirmed: {
    code: 11011,
    status: 200,
    message:
      'OWASP scores that reach their threshold are only logged unless a detector is sure of an attack, whatever their action: unconfirmed_scores of the edge settings is log',
    advice:
      'Comes as a message wherever the action of a score is shown. `PUT /zones/{zone_id}/edge` with `{"unconfirmed_scores": "act"}` lets scores act.',
  },
  ruleOutOfForce: {
    code: 11012,
    status: 200,
    message:
      'Rule {rule} is out of force in this zone since {since}: its evaluation did not finish, {ends} times ({reason})',
    advice:
      'Comes as a message wherever the rule is shown. To put it back in force, change the rule or its filter; for a managed rule, change the ruleset that executes it, or its mode. First simplify its patterns, or narrow it to fewer requests.',
  },
  learnedInvalid: {
    code: 11013,
    status: 400,
    message: 'edge.api.invalid_learned: this is not a sample of learned values',
    advice: 'Samples are sent by `gatehouse edge`: update it if it is older or newer than the control plane.',
  },
  forwardedFieldInvalid: {
    code: 11005,
    status: 400,
    message: 'edge.api.invalid_forwarded_field: {reason}',
    advice:
      'Name only fields that can be passed to origins on request, such as `x-real-ip` or `x-original-url`: docs/reference/request-lifecycle.md lists them. All other fields always reach the origin, or never do.',
  },
});
