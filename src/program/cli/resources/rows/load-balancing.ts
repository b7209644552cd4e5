import { family } from '../resource-row.ts';

export const balancerFamily = family(
  'load-balancers',
  'Load balancers of a zone, and the pools and monitors of the account.',
  {
    list: {
      operation: 'loadBalancers.list',
      columns: 'id name enabled steering_policy session_affinity default_pools fallback_pool',
    },
    get: 'loadBalancers.get',
    create: 'loadBalancers.create',
    edit: 'loadBalancers.edit',
    delete: 'loadBalancers.delete',
    pools: { operation: 'pools.list', columns: 'id name enabled healthy minimum_origins monitor' },
    pool: 'pools.get',
    'create-pool': 'pools.create',
    'edit-pool': 'pools.edit',
    'delete-pool': 'pools.delete',
    health: 'pools.health',
    monitors: {
      operation: 'monitors.list',
      columns: 'id type path expected_codes interval timeout description',
    },
    monitor: 'monitors.get',
    'create-monitor': 'monitors.create',
    'edit-monitor': 'monitors.edit',
    'delete-monitor': 'monitors.delete',
  },
);
