/** All operations whose row says `several objects`, with the handler that answers each. */
import { auditHandlers } from '../operations/audit/audit-handlers.ts';
import { customPageHandlers } from '../operations/custom-pages/custom-page-handlers.ts';
import { edgeFeedHandlers } from '../operations/edge/edge-feed-handlers.ts';
import { edgeLearningHandlers } from '../operations/learning/edge-learning-handlers.ts';
import { comparisonHandlers } from '../operations/migration/comparison-handlers.ts';
import { eventHandlers } from '../operations/events/event-handlers.ts';
import { assistExpressionHandlers } from '../operations/filters/assist-expression-handlers.ts';
import { listReferenceHandlers } from '../operations/lists/list-reference-handlers.ts';
import { metricHandlers } from '../operations/metrics/metric-handlers.ts';
import { objectHandlers } from '../operations/objects/object-handlers.ts';
import { protectionHandlers } from '../operations/protection/protection-handlers.ts';
import { ruleEffectHandlers } from '../operations/rule-effects/rule-effect-handlers.ts';
import { d1Handlers } from '../operations/stores/d1-handlers.ts';
import { kvHandlers } from '../operations/stores/kv-handlers.ts';
import { queueHandlers } from '../operations/stores/queue-handlers.ts';
import { r2CallHandlers } from '../operations/stores/r2-call-handlers.ts';
import { r2Handlers } from '../operations/stores/r2-handlers.ts';
import { logpushRequestHandlers } from '../operations/logpush/request-handlers.ts';
import { rateKeyHandlers } from '../operations/rate-limits/rate-key-handlers.ts';
import { trafficHandlers } from '../operations/traffic/traffic-handlers.ts';
import { contentHandlers } from '../operations/workers/content-handlers.ts';
import { versionResourceHandlers } from '../operations/workers/resources/version-resource-handlers.ts';
import { workerResourceHandlers } from '../operations/workers/resources/worker-resource-handlers.ts';
import { deployHandlers } from '../operations/workers/deploy-handlers.ts';
import { tailHandlers } from '../operations/workers/tail-handlers.ts';
import { uploadHandlers } from '../operations/workers/upload-handlers.ts';

export const handlersOfSeveralObjects = {
  ...assistExpressionHandlers,
  ...auditHandlers,
  ...comparisonHandlers,
  ...customPageHandlers,
  ...edgeFeedHandlers,
  ...edgeLearningHandlers,
  ...eventHandlers,
  ...listReferenceHandlers,
  ...metricHandlers,
  ...objectHandlers,
  ...protectionHandlers,
  ...rateKeyHandlers,
  ...ruleEffectHandlers,
  ...trafficHandlers,
  ...logpushRequestHandlers,
  ...deployHandlers,
  ...contentHandlers,
  ...workerResourceHandlers,
  ...versionResourceHandlers,
  ...uploadHandlers,
  ...tailHandlers,
  ...kvHandlers,
  ...d1Handlers,
  ...queueHandlers,
  ...r2Handlers,
  ...r2CallHandlers,
};
