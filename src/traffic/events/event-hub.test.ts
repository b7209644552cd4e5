import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { EventHub } from './event-hub.ts';
import { createEvent } from './testing.ts';

test('EventHub sends listeners the events of their zone only, until they unsubscribe', () => {
  const hub = new EventHub();
  const heard: string[] = [];
  const stop = hub.subscribe('a', (events) => heard.push(...events.map(({ id }) => `one ${id}`)));
  const stopOther = hub.subscribe('a', (events) => heard.push(...events.map(({ id }) => `two ${id}`)));
  hub.publish('a', [createEvent('1'), createEvent('2')]);
  hub.publish('b', [createEvent('3')]);
  stop();
  stop();
  equal(hub.countListeners('a'), 1);
  hub.publish('a', [createEvent('4')]);
  stopOther();
  hub.publish('a', [createEvent('5')]);
  deepEqual(heard, ['one 1', 'one 2', 'two 1', 'two 2', 'two 4']);
  equal(hub.countListeners('a'), 0);
});
