/** A name with its value, both decoded once as an application would. Binary strings, like all data of a request. */
export interface RequestArgument {
  readonly name: string;
  readonly value: string;
}
