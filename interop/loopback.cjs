// Required by every Node.js that the tests start: a connection that would leave this machine
// is refused, and written down in the file that OUTSIDE names.
"use strict";
const fs = require("node:fs");
const net = require("node:net");

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  const { path, host = "localhost" } = typeof first === "object" ? first : { host: args[1] };
  if (path == null && !["127.0.0.1", "::1", "localhost"].includes(host)) {
    fs.appendFileSync(process.env.OUTSIDE, `${host}\n`);
    throw new Error(`${host} is not this machine`);
  }
  return connect.apply(this, args);
};
