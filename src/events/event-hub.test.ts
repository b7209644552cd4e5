import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { EventHub } from './event-hub.ts';
import { eventOf } from './testing.ts';

test('EventHub tells listeners of their zone only, until they stop', () => {
  const hub = new EventHub();
  const heard: string[] = [];
  const stop = hub.subscribe('a', (events) => heard.push(...events.map(({ id }) => `one ${id}`)));
  const stopOther = hub.subscribe('a', (events) => heard.push(...events.map(({ id }) => `two ${id}`)));
  hub.publish('a', [eventOf('1'), eventOf('2')]);
  hub.publish('b', [eventOf('3')]);
  stop();
  stop();
  equal(hub.countOf('a'), 1);
  hub.publish('a', [eventOf('4')]);
  stopOther();
  hub.publish('a', [eventOf('5')]);
  deepEqual(heard, ['one 1', 'one 2', 'two 1', 'two 2', 'two 4']);
  equal(hub.countOf('a'), 0);
});
