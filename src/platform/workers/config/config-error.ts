/** Something that the user must change in a configuration or a module before it can run. The message is complete. */
export class ConfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConfigError';
  }
}
