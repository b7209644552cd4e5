import type { ResourceFamily } from '../resource-row.ts';

const poolColumns = ['id', 'name', 'enabled', 'healthy', 'minimum_origins', 'monitor'];

export const balancerFamily: ResourceFamily = {
  summary: 'Load balancers of a zone, and the pools and monitors of the account.',
  rows: [
    {
      name: 'load-balancers list',
      operation: 'loadBalancers.list',
      columns: [
        'id',
        'name',
        'enabled',
        'steering_policy',
        'session_affinity',
        'default_pools',
        'fallback_pool',
      ],
    },
    { name: 'load-balancers get', operation: 'loadBalancers.get' },
    { name: 'load-balancers create', operation: 'loadBalancers.create' },
    { name: 'load-balancers edit', operation: 'loadBalancers.edit' },
    { name: 'load-balancers delete', operation: 'loadBalancers.delete' },
    { name: 'load-balancers pools', operation: 'pools.list', columns: poolColumns },
    { name: 'load-balancers pool', operation: 'pools.get' },
    { name: 'load-balancers create-pool', operation: 'pools.create' },
    { name: 'load-balancers edit-pool', operation: 'pools.edit' },
    { name: 'load-balancers delete-pool', operation: 'pools.delete' },
    { name: 'load-balancers health', operation: 'pools.health' },
    {
      name: 'load-balancers monitors',
      operation: 'monitors.list',
      columns: ['id', 'type', 'path', 'expected_codes', 'interval', 'timeout', 'description'],
    },
    { name: 'load-balancers monitor', operation: 'monitors.get' },
    { name: 'load-balancers create-monitor', operation: 'monitors.create' },
    { name: 'load-balancers edit-monitor', operation: 'monitors.edit' },
    { name: 'load-balancers delete-monitor', operation: 'monitors.delete' },
  ],
};
