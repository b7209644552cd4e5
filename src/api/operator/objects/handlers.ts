import { changingHandlers } from './changing-handlers.ts';
import type { InspectionHandlers } from './handler.ts';
import { readingHandlers } from './reading-handlers.ts';

export const inspectionHandlers: InspectionHandlers = { ...readingHandlers, ...changingHandlers };
