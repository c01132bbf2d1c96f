// broadsheet generate kotlin --name Wishes catalog.json; tag c3c30151883511a2; do not edit

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The types of the catalog. */
object Wishes {
    /** Data by its cell type. */
    sealed class Cell {
        /** The name of the cell type. */
        abstract val type: String

        /** The data as JSON. */
        abstract fun toJson(): JsonElement

        data class Wish(val data: JsonElement) : Wishes.Cell() {
            override val type get() = "Wish"
            override fun toJson(): JsonElement = data
        }

        /** A cell type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Wishes.Cell() {
            override fun toJson(): JsonElement = data
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Wishes.Cell = try {
                when (type) {
                    "Wish" -> Wish(data)
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** Data by its unit type. */
    sealed class Unit {
        /** The name of the unit type. */
        abstract val type: String

        /** The unit as a page has it. */
        abstract fun toJson(): JsonElement

        data class Wishes_2(val data: JsonElement) : Wishes.Unit() {
            override val type get() = "wishes"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        /** A unit type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Wishes.Unit() {
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Wishes.Unit = try {
                when (type) {
                    "wishes" -> Wishes_2(data)
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** By the schema /cellTypes/Wish/actions/favourite/input */
    data class WishFavouriteInput(
        val on: Boolean
    ) {
        /** Returns the object as JSON. */
        fun toJson(): JsonObject {
            val _members = LinkedHashMap<String, JsonElement>()
            _members["on"] = JsonPrimitive(on)
            return JsonObject(_members)
        }

        companion object {
            /** Reads JSON, or throws an IllegalArgumentException. */
            fun of(json: JsonElement): WishFavouriteInput {
                val members = _members(json)
                return WishFavouriteInput(
                    _boolean(_required(members, "on"))
                )
            }
        }
    }

    /** The actions of the cell type Wish. */
    object WishActions {
        /** The action favourite of an item, or of the view header or footer. */
        fun favourite(
            input: WishFavouriteInput, section: String, item: String? = null, view: String? = null
        ): JsonObject =
            _action("favourite", input.toJson(), section, item, view)

        /** The action remove of an item, or of the view header or footer. */
        fun remove(
            input: JsonElement?, section: String, item: String? = null, view: String? = null
        ): JsonObject =
            _action("remove", input, section, item, view)
    }

    /** The names of cell types. */
    object CellType {
        const val Wish = "Wish"
    }

    /** The names of unit types. */
    object UnitType {
        const val Wishes = "wishes"
    }

    private fun _action(
        name: String, input: JsonElement?, section: String, item: String?, view: String?
    ): JsonObject {
        val members = LinkedHashMap<String, JsonElement>()
        members["type"] = JsonPrimitive("action")
        members["section"] = JsonPrimitive(section)
        item?.let { members["item"] = JsonPrimitive(it) }
        view?.let { members["view"] = JsonPrimitive(it) }
        members["name"] = JsonPrimitive(name)
        input?.let { members["input"] = it }
        return JsonObject(members)
    }

    private fun _object(
        type: String, typeName: String, data: String, value: JsonElement
    ): JsonObject {
        val members = LinkedHashMap<String, JsonElement>()
        members[type] = JsonPrimitive(typeName)
        members[data] = value
        return JsonObject(members)
    }

    private fun _required(members: Map<String, JsonElement>, name: String): JsonElement =
        members[name] ?: _fail(name + " is missing")

    private fun _members(json: JsonElement): Map<String, JsonElement> =
        json as? JsonObject ?: _fail("not an object")

    private fun _boolean(json: JsonElement): Boolean = when (_literal(json)) {
        "true" -> true
        "false" -> false
        else -> _fail("not true or false")
    }

    private fun _literal(json: JsonElement): String =
        if (json is JsonPrimitive && !json.isString) json.content else _fail("not a literal")

    private fun _fail(reason: String): Nothing = throw IllegalArgumentException(reason)
}
