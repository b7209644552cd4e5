/** The parameters of rules that ask objects and servers about a visitor, as clients send them. An addition of Gatehouse. */
import { expressionCharactersMax } from '#expressions';
import { annotate, array, choice, integer, named, object, optional, text } from '#shapes';
import { challengeKinds } from '../actions.ts';
import {
  askedFieldsMax,
  askedMsMax,
  askedUrlCharactersMax,
  headerNameCharactersMax,
  keptSecondsMax,
  objectNameBytesMax,
} from '../limits.ts';

/** The parts of a request that the edge can pass on, in addition to fields of its head. */
export const toldParts = ['method', 'host', 'uri', 'address'] as const;

/** What to do with a request without an answer. */
const defaultActions = ['pass', 'block', ...challengeKinds] as const;

const fieldNames = array(text({ min: 1, max: headerNameCharactersMax }), { max: askedFieldsMax });

export const askParameters = object({
  object: optional(
    named(
      'AskedObject',
      object(
        {
          worker: text({ min: 1, max: 63, description: 'The Worker that has the class.' }),
          class_name: text({ min: 1, max: 255 }),
          name: named(
            'AskedObjectName',
            object({
              value: optional(text({ max: objectNameBytesMax })),
              expression: optional(text({ max: expressionCharactersMax })),
            }),
          ),
        },
        'ask: the Durable Object whose `fetch()` is called. An addition of Gatehouse.',
      ),
    ),
  ),
  url: optional(
    text({
      min: 1,
      max: askedUrlCharactersMax,
      description: 'forward_auth: the server that is asked. An addition of Gatehouse.',
    }),
  ),
  timeout_ms: optional(
    annotate(integer({ min: 1, max: askedMsMax }), {
      description: 'ask, forward_auth: how long to wait for the answer; 500 if it is left out.',
    }),
  ),
  default_action: optional(
    annotate(choice(defaultActions), {
      description: 'ask, forward_auth: the action for a request without an answer in time.',
    }),
  ),
  keep_seconds: optional(
    annotate(integer({ min: 0, max: keptSecondsMax }), {
      description:
        'ask, forward_auth: how long an answer is reused for the same question; 0 asks every time.',
    }),
  ),
  send: optional(
    annotate(array(choice(toldParts), { max: toldParts.length }), {
      description: 'ask, forward_auth: what is sent in `X-Forwarded-*`; everything if it is left out.',
    }),
  ),
  send_headers: optional(
    annotate(fieldNames, { description: 'ask, forward_auth: headers of the visitor that are forwarded.' }),
  ),
  copy_headers: optional(
    annotate(fieldNames, {
      description: 'ask, forward_auth: headers of the answer that are passed to the origin.',
    }),
  ),
});
