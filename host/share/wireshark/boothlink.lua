-- Shows the frames of boothlink's lines in Wireshark: whose line it is, who sends, and what kind of
-- frame it is. What is inside is encrypted on a line with a key. Source: host/link/ether_frame.h,
-- host/link/secured.h and host/link/core_private.h of boothlink.
--
-- Put it into the folder of personal Lua plugins (Help, About, Folders), or:
--   tshark -X lua_script:boothlink.lua -r hub.pcap

local boothlink = Proto("boothlink", "boothlink line")

local kinds = { [1] = "frame", [2] = "the line is taken" }
local roles = { [0] = "any", [1] = "judge", [2] = "entity" }
local inner_kinds = {
    [0x41] = "KNOCK", [0x42] = "ASK", [0x43] = "OFFER", [0x44] = "HAND1", [0x45] = "HAND2",
    [0x46] = "DATA of the judge's end, encrypted", [0x47] = "DATA of the entity's end, encrypted",
    [0x48] = "PASS to the referee",
}
local plain_kinds = { [1] = "HELLO", [2] = "DATA", [3] = "ACK", [4] = "BYE" }

local fields = {
    magic = ProtoField.string("boothlink.magic", "Magic"),
    version = ProtoField.uint8("boothlink.version", "Version"),
    kind = ProtoField.uint8("boothlink.kind", "Kind", base.DEC, kinds, 0x0F),
    role = ProtoField.uint8("boothlink.role", "Role of the sender", base.DEC, roles, 0x30),
    length = ProtoField.uint16("boothlink.length", "Length of the payload"),
    line = ProtoField.string("boothlink.line", "Line"),
    instance = ProtoField.uint32("boothlink.instance", "Instance", base.HEX),
    number = ProtoField.uint32("boothlink.number", "Number"),
    inner = ProtoField.string("boothlink.inner", "Payload is"),
    count = ProtoField.uint24("boothlink.count", "Count, its low 24 bits"),
    payload = ProtoField.bytes("boothlink.payload", "Payload"),
}
boothlink.fields = fields

local HEAD = 26 -- behind the EtherType

local function inner_name(byte)
    if inner_kinds[byte] then
        return inner_kinds[byte], byte == 0x46 or byte == 0x47
    end
    return plain_kinds[byte % 8] or "unknown", false
end

function boothlink.dissector(buffer, packet, tree)
    if buffer:len() < HEAD or buffer(0, 2):string() ~= "BL" then
        return 0
    end
    local length = buffer(4, 2):uint()
    if buffer:len() < HEAD + length then
        return 0
    end
    local item = tree:add(boothlink, buffer(0, HEAD + length))
    item:add(fields.magic, buffer(0, 2))
    item:add(fields.version, buffer(2, 1))
    item:add(fields.kind, buffer(3, 1))
    item:add(fields.role, buffer(3, 1))
    item:add(fields.length, buffer(4, 2))
    item:add(fields.line, buffer(6, 12), buffer(6, 12):stringz())
    item:add(fields.instance, buffer(18, 4))
    item:add(fields.number, buffer(22, 4))
    packet.cols.protocol = "boothlink"
    local what = kinds[buffer(3, 1):uint() % 16] or "unknown"
    if length > 0 then
        local name, counted = inner_name(buffer(HEAD, 1):uint())
        item:add(fields.inner, buffer(HEAD, 1), name)
        if counted and length >= 4 then
            item:add_le(fields.count, buffer(HEAD + 1, 3))
        end
        item:add(fields.payload, buffer(HEAD, length))
        what = name
    end
    packet.cols.info = string.format("line %s: %s", buffer(6, 12):stringz(), what)
    return HEAD + length
end

DissectorTable.get("ethertype"):add(0x88B5, boothlink)
