/** A request and its response as the engine receives them: bytes from the wire, binary strings, nothing decoded. */
export interface SecRequest {
  readonly method: string;
  /** The target as written: path and query, or with scheme and host. */
  readonly target: string;
  /** `HTTP/1.1` */
  readonly protocol: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly clientAddress: string;
  readonly clientPort: number;
  readonly serverAddress: string;
  readonly serverPort: number;
  /** Two letters, if known. */
  readonly country: string;
  readonly id: string;
}

export interface SecResponse {
  readonly protocol: string;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}
