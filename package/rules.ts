/** `gatehouse/rules`: the expression language, and requests to run it on. */
export * from '#expressions';
export * from '#request';
export { bytesOf, formatIp, Ip, IpSet, type Network, parseIp, parseNetwork, textOf } from '#base';
