/** For child processes, which may run user code: settings can be credentials, so a child gets only what it needs. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GATEHOUSE_')));
}
