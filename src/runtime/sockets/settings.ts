/** Settings that depend on the compatibility date of the Worker. One process runs one Worker. */
export interface SocketSettings {
  /** Whether the close frame of the other end is answered before code is notified of it. */
  readonly repliesToClose: boolean;
  /** Whether a reason longer than a close frame can carry is refused. */
  readonly limitsCloseReason: boolean;
  /** The type of binary messages for listeners, until they choose. */
  readonly binaryType: 'arraybuffer' | 'blob';
  /** Whether messages are compressed for clients that offer it. */
  readonly compresses: boolean;
}

/** The settings for the newest date. */
export const newestSocketSettings: SocketSettings = {
  repliesToClose: true,
  limitsCloseReason: true,
  binaryType: 'blob',
  compresses: true,
};

let settings = newestSocketSettings;

export function useSocketSettings(chosen: SocketSettings): void {
  settings = chosen;
}

export function socketSettings(): SocketSettings {
  return settings;
}
