import { type Ignored, ignored, type Refused, refused } from "../delivery.ts";
import { type EntityId, toEntityId } from "../ids.ts";
import { type Members, readInteger, readMembers, readText } from "../members.ts";
import { latestTime, toUtcTime } from "../times.ts";

/** What decides between the messages of a resource. */
export interface Version {
  /** Absent after a deletion whose notification has no sequence number. */
  readonly sequence?: number | undefined;
  readonly time: string;
}

/** A message about a resource, such as a product. */
export interface ResourceMessage extends Version {
  readonly typeId: string;
  /** Its kind is the type of the resource. */
  readonly entity: EntityId;
  readonly body: Members;
}

export const readMessage = (body: Members): ResourceMessage | Refused => {
  const resource = readMembers(body["resource"]) ?? {};
  const typeId = readText(resource["typeId"]);
  const time = toUtcTime(body["lastModifiedAt"] ?? body["createdAt"] ?? body["modifiedAt"]);
  if (typeId === undefined) return refused("resource.typeId", "must be the type of the resource");
  const entity = toEntityId(typeId, resource["id"]);
  if (!entity) return refused("resource.id", "must be the id of the resource");
  if (time === undefined) return refused("lastModifiedAt", "must be a time with an offset");
  return { typeId, entity, sequence: readInteger(body["sequenceNumber"]), time, body };
};

/**
 * Computes the version that follows the newest one. Its time is never earlier, because the sequence number decides.
 * @returns undefined when the message is older, or a repeat
 */
export const nextVersion = (
  { sequence, time }: Version,
  newest: Version | undefined,
): Version | undefined =>
  newest && isOlder({ sequence, time }, newest)
    ? undefined
    : { sequence, time: latestTime(time, newest?.time) };

const isOlder = (message: Version, newest: Version): boolean => {
  if (message.sequence === undefined) return message.time < newest.time;
  return newest.sequence === undefined
    ? message.time <= newest.time
    : message.sequence <= newest.sequence;
};

const olderReason = "older than the newest message";
export const older = ignored(olderReason);

/** The shop has the product, also if a newer message about it was translated. */
export const olderProduct = (id: number): Ignored => ignored(olderReason, `product/${id}`);

export const sharedNumber = refused(
  "resource.id",
  "has the number of another text: two texts have one hash of 52 bits",
);
