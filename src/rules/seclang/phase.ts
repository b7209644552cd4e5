/** Request headers, request body, response headers, response body, logging. */
export type Phase = 1 | 2 | 3 | 4 | 5;
