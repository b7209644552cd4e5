/** A failure that its message explains to the person who asked. */
export class MaintenanceError extends Error {
  override readonly name = 'MaintenanceError';
  readonly code: string;

  constructor(
    message: string,
    { code = 'MAINTENANCE_FAILED', ...options }: ErrorOptions & { code?: string } = {},
  ) {
    super(message, options);
    this.code = code;
  }
}
