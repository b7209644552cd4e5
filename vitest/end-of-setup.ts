/** The last `globalSetup` of a project: notifies the reporter that those of the project are done. */
import { endOfSetup } from './report.ts';

export default (): void => (globalThis as unknown as Record<symbol, () => void>)[endOfSetup]!();
