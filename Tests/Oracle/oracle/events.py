"""Server-Sent Events (the HTML standard, 9.2.6 "Interpreting an event stream")."""

import codecs


class EventDecoder:
    """Decodes a stream character by character; `last_event_id` is that of complete events."""

    def __init__(self):
        self.last_event_id = ""
        self.retry = None
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._previous = None  # the character before; None at the start of the stream
        self._line, self._data = "", []
        self._id = self._type = ""

    def push(self, content):
        """Returns the events that these bytes complete."""
        events = []
        for character in self._utf8.decode(content):
            event = self._read(character)
            if event is not None:
                events.append(event)
        return events

    def _read(self, character):
        previous, self._previous = self._previous, character
        if previous is None and character == "\ufeff":
            return None
        if previous == "\r" and character == "\n":
            return None
        if character not in "\r\n":
            self._line += character
            return None
        line, self._line = self._line, ""
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        self._set(name, value.removeprefix(" "))
        return None

    def _set(self, name, value):
        if name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value and all(digit in "0123456789" for digit in value):
            self.retry = int(value)

    def _dispatch(self):
        event_type, data = self._type or "message", "\n".join(self._data)
        has_data = bool(self._data)
        self._type, self._data = "", []
        self.last_event_id = self._id
        return {"type": event_type, "id": self._id, "data": data} if has_data else None
