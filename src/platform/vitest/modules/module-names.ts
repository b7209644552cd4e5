/** The exports of `cloudflare:test`, and which of them are refused. */

export const testModuleNames = [
  'abortAllDurableObjects',
  'applyD1Migrations',
  'createExecutionContext',
  'createMessageBatch',
  'createScheduledController',
  'env',
  'evictAllDurableObjects',
  'evictDurableObject',
  'getQueueResult',
  'listDurableObjectIds',
  'reset',
  'runDurableObjectAlarm',
  'runInDurableObject',
  'SELF',
  'waitOnExecutionContext',
] as const;

/** Why each is refused. */
export const refusedTestNames: Readonly<Record<string, string>> = {
  adminSecretsStore: 'Gatehouse has no secrets store; give the value in miniflare.bindings',
  createPagesEventContext: 'Gatehouse runs no Pages functions',
  fetchMock:
    'it was removed from the original with Vitest 4; mock globalThis.fetch with vi.spyOn(), use MSW, or miniflare.outboundService',
  introspectWorkflow:
    'the steps of workflows cannot be replaced; create an instance and wait for its status()',
  introspectWorkflowInstance:
    'the steps of workflows cannot be replaced; create an instance and wait for its status()',
};
