import { Session } from "node:inspector/promises";
import { writeFileSync } from "node:fs";
await import("./server-vitrine.ts");
const session = new Session(); session.connect();
process.on("message", async (m) => {
  if (m === "prof") { await session.post("Profiler.enable"); await session.post("Profiler.setSamplingInterval", { interval: 300 }); await session.post("Profiler.start"); setTimeout(async () => { const { profile } = await session.post("Profiler.stop"); writeFileSync(process.env.PROF!, JSON.stringify(profile)); console.log("written"); }, Number(process.env.PROFMS ?? 6000)); }
});
