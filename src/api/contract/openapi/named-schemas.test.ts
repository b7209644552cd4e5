import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { named, text, array, object } from '#shapes';
import { NamedSchemas } from './named-schemas.ts';

const tag = named('Tag', { type: 'string' });

test('NamedSchemas.refer puts references in the place of named schemas, wherever they are', () => {
  const schemas = new NamedSchemas();
  const schema = { anyOf: [tag, { type: 'array', items: tag }], title: undefined };
  const reference = { $ref: '#/components/schemas/Tag' };
  deepEqual(schemas.refer(schema), {
    anyOf: [reference, { type: 'array', items: reference }],
    title: undefined,
  });
  deepEqual(schemas.toComponents(), { Tag: { title: 'Tag', type: 'string' } });
});

test('NamedSchemas.refer takes shapes by their schemas, and a property that is called title', () => {
  const schemas = new NamedSchemas();
  const page = named('Page', object({ title: text({ max: 9 }), tags: array(text(), { max: 1 }) }));
  deepEqual(schemas.refer(page.schema), { $ref: '#/components/schemas/Page' });
  deepEqual(schemas.toComponents()['Page'], page.schema);
});

test('NamedSchemas.refer refuses one name for two schemas', () => {
  const schemas = new NamedSchemas();
  schemas.refer(tag);
  schemas.refer(named('Tag', { type: 'string' }));
  throws(() => schemas.refer(named('Tag', { type: 'integer' })), /two different schemas have the name Tag/);
});

test('named keeps what a shape reads', () => {
  const problems: never[] = [];
  deepEqual(named('Name', text()).read('a', '', problems), 'a');
});
