/** The part of Cloudflare's schema that covers the activity log, generated from the table of columns. */
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';
import type { SecurityEvent } from '#events';
import type { ZoneFacts } from '../../../context/directory.ts';
import { columns, readValue } from './columns.ts';
import { filterKeys } from './filter.ts';
import { type QueryContext, resolveEvents, resolveGroups, resolveZones } from './resolve.ts';
import { float64Type, stringType, timeType, dateType, uint64Type } from './scalars.ts';

function createListType<T extends ConstructorParameters<typeof GraphQLNonNull>[0]>(type: T) {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
}

function createFilterType(name: string): GraphQLInputObjectType {
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: (): GraphQLInputFieldConfigMap => ({
      AND: { type: new GraphQLList(type) },
      OR: { type: new GraphQLList(type) },
      ...Object.fromEntries(
        Array.from(filterKeys, ([key, { column, operator }]) => [
          key,
          {
            type:
              operator === 'in' || operator === 'notin'
                ? new GraphQLList(new GraphQLNonNull(column.type))
                : column.type,
          },
        ]),
      ),
    }),
  });
  return type;
}

function createOrderType(name: string, names: Iterable<string>): GraphQLEnumType {
  const values = [...names].flatMap((each) => [`${each}_ASC`, `${each}_DESC`]);
  return new GraphQLEnumType({ name, values: Object.fromEntries(values.map((value) => [value, { value }])) });
}

const metadataType = new GraphQLObjectType<SecurityEvent['metadata'][number]>({
  name: 'FirewallEventsAdaptiveMetadata',
  fields: { key: { type: new GraphQLNonNull(stringType) }, value: { type: new GraphQLNonNull(stringType) } },
});

export const eventType = new GraphQLObjectType<SecurityEvent>({
  name: 'FirewallEventsAdaptive',
  fields: {
    ...Object.fromEntries(
      Array.from(columns.values(), (column) => [
        column.name,
        {
          type: new GraphQLNonNull(column.type),
          resolve: (event: SecurityEvent) => readValue(event, column),
        },
      ]),
    ),
    metadata: { type: createListType(metadataType) },
  },
});

export const dimensionsType = new GraphQLObjectType<Readonly<Record<string, string | number>>>({
  name: 'FirewallEventsAdaptiveGroupsDimensions',
  fields: Object.fromEntries(
    Array.from(columns.values(), ({ name, type }) => [name, { type: new GraphQLNonNull(type) }]),
  ),
});

const averageType = new GraphQLObjectType({
  name: 'FirewallEventsAdaptiveGroupsAvg',
  fields: { sampleInterval: { type: new GraphQLNonNull(float64Type) } },
});

const groupType = new GraphQLObjectType({
  name: 'FirewallEventsAdaptiveGroups',
  fields: {
    count: { type: new GraphQLNonNull(uint64Type) },
    avg: { type: averageType },
    dimensions: { type: dimensionsType },
  },
});

const zoneType = new GraphQLObjectType<ZoneFacts, QueryContext>({
  name: 'zone',
  fields: {
    zoneTag: { type: new GraphQLNonNull(stringType), resolve: ({ id }) => id },
    firewallEventsAdaptive: {
      type: createListType(eventType),
      description: 'Events, the newest first unless orderBy says otherwise.',
      args: {
        filter: { type: createFilterType('FirewallEventsAdaptiveFilter_InputObject') },
        limit: { type: uint64Type },
        orderBy: { type: new GraphQLList(createOrderType('FirewallEventsAdaptiveOrderBy', columns.keys())) },
      },
      resolve: resolveEvents,
    },
    firewallEventsAdaptiveGroups: {
      type: createListType(groupType),
      description: 'Events counted by the dimensions that are selected, the largest groups first.',
      args: {
        filter: { type: createFilterType('FirewallEventsAdaptiveGroupsFilter_InputObject') },
        limit: { type: uint64Type },
        orderBy: {
          type: new GraphQLList(
            createOrderType('FirewallEventsAdaptiveGroupsOrderBy', ['count', ...columns.keys()]),
          ),
        },
      },
      resolve: resolveGroups,
    },
  },
});

const viewerType = new GraphQLObjectType<unknown, QueryContext>({
  name: 'viewer',
  fields: {
    zones: {
      type: createListType(zoneType),
      args: {
        filter: {
          type: new GraphQLInputObjectType({
            name: 'ZoneFilter_InputObject',
            fields: {
              zoneTag: { type: stringType },
              zoneTag_in: { type: new GraphQLList(new GraphQLNonNull(stringType)) },
            },
          }),
        },
        limit: { type: uint64Type },
      },
      resolve: resolveZones,
    },
  },
});

export const schema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, QueryContext>({
    name: 'Query',
    fields: { viewer: { type: new GraphQLNonNull(viewerType), resolve: () => ({}) } },
  }),
  types: [timeType, dateType],
});
